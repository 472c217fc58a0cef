/**
 * Kinds of notification, the strongest first. If one change gives a person several, only the one
 * listed first is created.
 */
export const KINDS = [
  'escalated',
  'overdue',
  'budget_reached',
  'decision_requested',
  'decision_answered',
  'run_waiting',
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
