import type { Recipients } from '../../kernel/caller.ts'
import { KINDS, type Kind } from '../notifications/index.ts'

const IMPORTANT: ReadonlySet<Kind> = new Set([
  'escalated',
  'overdue',
  'decision_requested',
  'decision_answered',
  'mentioned',
  'replied',
  'assigned',
  'moved_to_inbox',
])
export const isImportant = (kind: Kind) => IMPORTANT.has(kind)

/** High, as tasks count it: what somebody put into an inbox by hand. */
export const MOVED_PRIORITY = 2

/** What is read of the data of a change; each type has some of these. */
export interface Said {
  snippet?: string
  comment_id?: number
  /** The actor that a mention names. */
  actor_id?: number
  mentioned?: number[]
  emoji?: string
  added?: boolean
  author_id?: number
  decision_request_id?: number
  question?: string
  asked?: number[]
  asker_id?: number
  selected_option?: string
  escalation_id?: number
  reason?: string
  to_user_id?: number
  note?: string | null
  run_id?: number
  summary?: string | null
  askers?: number[]
  /** The fields of a task that an update wrote. */
  changed?: readonly string[]
}

export interface Happening {
  type: string
  /** Who did it. */
  actor_id: number
  said: Said
}

/** The recipients of a change that its data does not name. */
export interface Around extends Recipients {
  /** The actor that an assignment names. */
  assignee?: number | undefined
}

export interface Notice {
  actor_id: number
  kind: Kind
  snippet?: string | undefined
  comment_id?: number | undefined
  decision_request_id?: number | undefined
  escalation_id?: number | undefined
  run_id?: number | undefined
}

/**
 * Who is told of a change, and as what:
 *
 * | change                          | who                                      | kind               |
 * |---------------------------------|------------------------------------------|--------------------|
 * | task.assigned, task.unassigned  | whom it names                            | assigned, …        |
 * | task.mentioned, comment.mention | whom it names                            | mentioned          |
 * | comment.created                 | the author of the comment it answers, or | replied            |
 * |                                 | who called the agent that answers        |                    |
 * |                                 | assigned people, the creator of the      | commented          |
 * |                                 | task, earlier authors                    |                    |
 * | comment.reaction                | the author of the comment                | reacted            |
 * | decision.requested              | those asked                              | decision_requested |
 * | decision.answered, .cancelled   | who asked                                | decision_answered  |
 * | escalation.created              | whom it calls                            | escalated          |
 * | escalation.resolved             | who escalated                            | escalated          |
 * | run.done, run.failed            | who began or prompted it, assigned       | run_finished       |
 * |                                 | people, the creator of the task          |                    |
 * | task.due_soon, task.overdue     | assigned, else the creator of the task   | due_soon, overdue  |
 *
 * Nobody is told of what they did themselves, and nobody twice of one change. Who is mentioned in a
 * comment hears that from comment.mention, and not of the comment as well.
 */
export function noticesOf(happening: Happening, around: Around): Notice[] {
  const { type, actor_id: by, said } = happening
  const silent = new Set([by, ...(type === 'comment.created' ? (said.mentioned ?? []) : [])])
  const told = new Map<number, Notice>()
  const rank = ({ kind }: Notice) => KINDS.indexOf(kind)
  for (const notice of TELLERS[type]?.(said, around) ?? []) {
    const before = told.get(notice.actor_id)
    if (silent.has(notice.actor_id) || (before && rank(before) <= rank(notice))) continue
    told.set(notice.actor_id, notice)
  }
  return [...told.values()]
}

type Teller = (said: Said, around: Around) => Notice[]

const all = (
  ids: readonly (number | undefined)[],
  kind: Kind,
  more: Omit<Notice, 'actor_id' | 'kind'> = {},
): Notice[] =>
  ids.flatMap((actor_id) => (actor_id === undefined ? [] : { actor_id, kind, ...more }))

const mention: Teller = ({ actor_id, snippet, comment_id }) =>
  all([actor_id], 'mentioned', { snippet, comment_id })

const finished =
  (how: string): Teller =>
  ({ askers = [], summary, run_id }, { participants }) =>
    all([...askers, ...participants], 'run_finished', {
      snippet: summary ? `${how}: ${summary}` : how,
      run_id,
    })

const TELLERS: Record<string, Teller> = {
  'task.assigned': (_, { assignee }) => all([assignee], 'assigned'),
  'task.unassigned': (_, { assignee }) => all([assignee], 'unassigned'),
  'task.mentioned': mention,
  'comment.mention': mention,
  'comment.created': ({ snippet, comment_id }, { answered = [], participants }) => [
    ...all(answered, 'replied', { snippet, comment_id }),
    ...all(participants, 'commented', { snippet, comment_id }),
  ],
  /** Tells nobody; what was told of it is withdrawn. */
  'comment.deleted': () => [],
  'comment.reaction': ({ added, author_id, emoji, comment_id }) =>
    all(added ? [author_id] : [], 'reacted', { snippet: emoji, comment_id }),
  'decision.requested': ({ asked = [], question, decision_request_id }) =>
    all(asked, 'decision_requested', { snippet: question, decision_request_id }),
  'decision.answered': ({ asker_id, selected_option, question, decision_request_id }) =>
    all([asker_id], 'decision_answered', {
      snippet: `${selected_option}: ${question}`,
      decision_request_id,
    }),
  'decision.cancelled': ({ asker_id, question, decision_request_id }) =>
    all([asker_id], 'decision_answered', {
      snippet: `Cancelled: ${question}`,
      decision_request_id,
    }),
  'escalation.created': ({ to_user_id, reason, escalation_id }) =>
    all([to_user_id], 'escalated', { snippet: reason, escalation_id }),
  'escalation.resolved': ({ author_id, note, escalation_id }) =>
    all([author_id], 'escalated', {
      snippet: note ? `Resolved: ${note}` : 'Resolved',
      escalation_id,
    }),
  'run.done': finished('Done'),
  'run.failed': finished('Failed'),
  'task.due_soon': (_, { participants }) => all(participants, 'due_soon'),
  'task.overdue': (_, { participants }) => all(participants, 'overdue'),
}

/** Finished, put away or put off, a task need not remind anybody any more. */
const ENDING: readonly unknown[] = ['section_id', 'status', 'due_date']
export const mayEndReminders = ({ type, data }: { type: string; data: object }) =>
  type === 'task.updated' && ((data as Said).changed ?? []).some((field) => ENDING.includes(field))

/** Other changes say nothing to anybody's inbox, and need not be looked into. */
export const isTold = (change: { type: string; data: object }) =>
  Object.hasOwn(TELLERS, change.type) || mayEndReminders(change)
