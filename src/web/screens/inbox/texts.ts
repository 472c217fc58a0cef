import type { Kind, Note } from './types.ts'

/** What happened, to follow the actor's name. */
const MESSAGES: Record<Kind, string> = {
  escalated: 'needs your input',
  overdue: 'Overdue',
  decision_requested: 'asks you to decide',
  decision_answered: 'decided',
  mentioned: 'mentioned you',
  replied: 'replied to you',
  assigned: 'assigned you to a task',
  unassigned: 'unassigned you from a task',
  moved_to_inbox: 'added a task to your inbox',
  reacted: 'reacted to your comment',
  due_soon: 'Due soon',
  run_finished: 'finished a run',
  commented: 'commented',
}

/** The names of the kinds. */
export const KINDS: Record<Kind, string> = {
  escalated: 'Escalated',
  overdue: 'Overdue',
  decision_requested: 'To decide',
  decision_answered: 'Decided',
  mentioned: 'Mentioned',
  replied: 'Replies',
  assigned: 'Assigned',
  unassigned: 'Unassigned',
  moved_to_inbox: 'Added',
  reacted: 'Reactions',
  due_soon: 'Due soon',
  run_finished: 'Runs',
  commented: 'Comments',
}

const SPECIAL_MESSAGES: Partial<Record<Kind, readonly [begins: string, says: string]>> = {
  decision_answered: ['Cancelled: ', 'cancelled a decision request'],
  escalated: ['Resolved', 'resolved your escalation'],
  run_finished: ['Failed', 'ended a failed run'],
}

/** The actor and the message of a notification. Reminders have no actor. */
export function textOfNote(note: Note, me: number | undefined): { who: string; what: string } {
  const { kind, actor, snippet } = note
  if (actor.kind === 'system') return { who: '', what: MESSAGES[kind] }
  const isMe = me !== undefined && actor.user_id === me
  if (kind === 'reacted' && snippet) return { who: actor.name, what: `reacted with ${snippet}` }
  const [prefix, message] = SPECIAL_MESSAGES[kind] ?? []
  const what = prefix && snippet?.startsWith(prefix) ? message! : MESSAGES[kind]
  return { who: isMe ? 'You' : actor.name, what }
}

/** The quoted text, unless the message already contains it. */
export const snippetOf = ({ kind, snippet }: Note): string | null =>
  kind === 'reacted' ? null : snippet
