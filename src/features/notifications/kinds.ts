/** Kinds of notification. Where one change gives a person several, the first one counts. */
export const KINDS = [
  'escalated',
  'overdue',
  'decision_requested',
  'decision_answered',
  'mentioned',
  'replied',
  'assigned',
  'unassigned',
  'moved_to_inbox',
  'reacted',
  'due_soon',
  'run_finished',
  'commented',
] as const
export type Kind = (typeof KINDS)[number]
