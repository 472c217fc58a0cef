import type { Kind, Note } from './types.ts'

/** What happened, to follow the actor's name. */
const MESSAGES: Record<Kind, string> = {
  escalated: 'calls you to a task',
  overdue: 'Overdue',
  decision_requested: 'asks you to decide',
  decision_answered: 'decided',
  mentioned: 'mentioned you',
  replied: 'answered you',
  assigned: 'assigned you to a task',
  unassigned: 'took you off a task',
  moved_to_inbox: 'put a task into your inbox',
  reacted: 'reacted to what you wrote',
  due_soon: 'Due soon',
  run_finished: 'finished a run',
  commented: 'wrote a comment',
}

/** The names of the kinds. */
export const KINDS: Record<Kind, string> = {
  escalated: 'Escalated',
  overdue: 'Overdue',
  decision_requested: 'To decide',
  decision_answered: 'Decided',
  mentioned: 'Mentioned',
  replied: 'Answered',
  assigned: 'Assigned',
  unassigned: 'Unassigned',
  moved_to_inbox: 'Put here',
  reacted: 'Reactions',
  due_soon: 'Due soon',
  run_finished: 'Runs',
  commented: 'Comments',
}

const SPECIAL_MESSAGES: Partial<Record<Kind, readonly [begins: string, says: string]>> = {
  decision_answered: ['Cancelled: ', 'took a question back'],
  escalated: ['Resolved', 'saw to what you escalated'],
  run_finished: ['Failed', 'ended a run that failed'],
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
