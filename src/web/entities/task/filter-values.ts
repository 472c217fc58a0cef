import { t } from '../../messages/t.ts'

/** The due dates and states that tasks can be filtered by, with their names. */
export const DUES = {
  overdue: t('common.overdue'),
  today: t('common.today'),
  week: t('task.within_a_week'),
  none: t('common.no_due_date'),
} as const
export const STATES = {
  blocked: t('common.blocked'),
  free: t('task.not_blocked'),
  work: t('task.being_worked_on'),
  red: t('task.failing_pull_request'),
} as const
