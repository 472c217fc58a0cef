export {
  hasComments,
  hasPages,
  isFinished,
  isLeased,
  isRepeating,
  isScheduled,
  isUnleased,
  needsReminder,
  urgencyOf,
} from './conditions.ts'
export {
  isOpen,
  isOverdue,
  isSnoozed,
  PR_BADGES,
  type PrBadge,
  STATUSES,
  type Status,
} from './rules.ts'
