export {
  hasComments,
  hasPages,
  isFinished,
  isLeased,
  isLessUrgent,
  isRepeating,
  isScheduled,
  isUnleased,
  isUrgent,
  needsReminder,
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
