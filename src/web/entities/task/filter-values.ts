/** The due dates and states that tasks can be filtered by, with their names. */
export const DUES = {
  overdue: 'Overdue',
  today: 'Today',
  week: 'Within a week',
  none: 'No due date',
} as const
export const STATES = {
  blocked: 'Blocked',
  free: 'Not blocked',
  work: 'Being worked on',
  red: 'Failing pull request',
} as const
