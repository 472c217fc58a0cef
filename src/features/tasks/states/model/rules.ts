/** The states of a task. Pure functions: no clock, no database. */
export const STATUSES = ['Normal', 'Archive', 'Deleted'] as const
export type Status = (typeof STATUSES)[number]
/** `red`: a check fails, or the pull request was closed without a merge. */
export const PR_BADGES = ['red', 'pending', 'green', 'merged'] as const
export type PrBadge = (typeof PR_BADGES)[number]

export const isSnoozed = ({ snoozed_until }: { snoozed_until: Date | null }, now: Date) =>
  snoozed_until !== null && snoozed_until > now

/** Neither completed nor archived nor deleted. */
export const isOpen = (task: { completed_at: Date | string | null; status: Status }) =>
  task.status === 'Normal' && !task.completed_at

export const isOverdue = (
  task: { due_at: Date | null; completed_at: Date | null; status: Status },
  now: Date,
) => isOpen(task) && task.due_at !== null && task.due_at < now
