import type { Recipients } from '../../../../kernel/caller.ts'
import { KINDS, type Kind } from '../../notifications/model/index.ts'

const IMPORTANT: ReadonlySet<Kind> = new Set([
  'escalated',
  'overdue',
  'budget_reached',
  'decision_requested',
  'decision_answered',
  'run_waiting',
  'mentioned',
  'replied',
  'assigned',
  'moved_to_inbox',
])
export const isImportant = (kind: Kind) => IMPORTANT.has(kind)

/** Priority High, for a task that somebody moved into an inbox by hand. */
export const MOVED_PRIORITY = 2

/** The fields of a change's data that notifications use. Each change type has some of them. */
export interface ChangeData {
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
  /** Who learns that a budget is used, and how much was used. */
  notified?: number[]
  text?: string
  /** The fields of a task that an update wrote. */
  changed?: readonly string[]
}

export interface ChangeEvent {
  type: string
  /** The actor who made the change. */
  actor_id: number
  data: ChangeData
}

/** The actors concerned by a change whom its data does not name. */
export interface ChangeParties extends Recipients {
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
 * Returns who is notified of a change, and with which kind of notification:
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
 * | run.waiting                     | who began or prompted it; if its agent   | run_waiting        |
 * |                                 | did, as for run.done                     |                    |
 * | run.budget_reached              | the owner of the agent; of a board also  | budget_reached     |
 * |                                 | its creator                              |                    |
 * | rule.notified, rule.paused      | whom it names                            | mentioned          |
 * | task.due_soon, task.overdue     | assigned, else the creator of the task   | due_soon, overdue  |
 *
 * Of assigned people, creators and authors, those are left out who have stopped watching the task;
 * others who watch it are added (but not to reminders). Nobody is notified of their own change, except
 * by a rule that acts in their name, and everybody gets at most one notification per change.
 * Those mentioned in a comment are notified by comment.mention, not by comment.created as well.
 */
export function recipientsOf(event: ChangeEvent, parties: ChangeParties): Notice[] {
  const { type, actor_id: author_id, data } = event
  const excluded = new Set([
    ...(type.startsWith('rule.') ? [] : [author_id]),
    ...(type === 'comment.created' ? (data.mentioned ?? []) : []),
  ])
  const byActor = new Map<number, Notice>()
  const rank = ({ kind }: Notice) => KINDS.indexOf(kind)
  for (const notice of NOTICE_RULES[type]?.(data, parties) ?? []) {
    const existing = byActor.get(notice.actor_id)
    if (excluded.has(notice.actor_id) || (existing && rank(existing) <= rank(notice))) continue
    byActor.set(notice.actor_id, notice)
  }
  return [...byActor.values()]
}

type NoticeRule = (data: ChangeData, parties: ChangeParties) => Notice[]

const noticesFor = (
  ids: readonly (number | undefined)[],
  kind: Kind,
  details: Omit<Notice, 'actor_id' | 'kind'> = {},
): Notice[] =>
  ids.flatMap((actor_id) => (actor_id === undefined ? [] : { actor_id, kind, ...details }))

const mention: NoticeRule = ({ actor_id, snippet, comment_id }) =>
  noticesFor([actor_id], 'mentioned', { snippet, comment_id })

const runFinished =
  (outcome: string): NoticeRule =>
  ({ askers = [], summary, run_id }, { participants }) =>
    noticesFor([...askers, ...participants], 'run_finished', {
      snippet: summary ? `${outcome}: ${summary}` : outcome,
      run_id,
    })

const NOTICE_RULES: Record<string, NoticeRule> = {
  'task.assigned': (_, { assignee }) => noticesFor([assignee], 'assigned'),
  'task.unassigned': (_, { assignee }) => noticesFor([assignee], 'unassigned'),
  'task.mentioned': mention,
  'comment.mention': mention,
  'comment.created': ({ snippet, comment_id }, { answered = [], participants }) => [
    ...noticesFor(answered, 'replied', { snippet, comment_id }),
    ...noticesFor(participants, 'commented', { snippet, comment_id }),
  ],
  /**
   * Notifies nobody. The rule exists so that `notify` withdraws the notifications of the comment.
   */
  'comment.deleted': () => [],
  'comment.reaction': ({ added, author_id, emoji, comment_id }) =>
    noticesFor(added ? [author_id] : [], 'reacted', { snippet: emoji, comment_id }),
  'decision.requested': ({ asked = [], question, decision_request_id }) =>
    noticesFor(asked, 'decision_requested', { snippet: question, decision_request_id }),
  'decision.answered': ({ asker_id, selected_option, question, decision_request_id }) =>
    noticesFor([asker_id], 'decision_answered', {
      snippet: `${selected_option}: ${question}`,
      decision_request_id,
    }),
  'decision.cancelled': ({ asker_id, question, decision_request_id }) =>
    noticesFor([asker_id], 'decision_answered', {
      snippet: `Cancelled: ${question}`,
      decision_request_id,
    }),
  'escalation.created': ({ to_user_id, reason, escalation_id }) =>
    noticesFor([to_user_id], 'escalated', { snippet: reason, escalation_id }),
  'escalation.resolved': ({ author_id, note, escalation_id }) =>
    noticesFor([author_id], 'escalated', {
      snippet: note ? `Resolved: ${note}` : 'Resolved',
      escalation_id,
    }),
  'run.waiting': ({ askers = [], summary, run_id }, { participants }) =>
    noticesFor(askers.length ? askers : participants, 'run_waiting', {
      snippet: summary ?? undefined,
      run_id,
    }),
  /** These notify nobody. They exist so that `notify` marks the notifications of the run as read. */
  'run.prompted': () => [],
  'run.started': () => [],
  'run.stopped': () => [],
  'run.done': runFinished('Done'),
  'run.failed': runFinished('Failed'),
  'run.budget_reached': ({ notified = [], text, run_id }) =>
    noticesFor(notified, 'budget_reached', { snippet: text, run_id }),
  'rule.notified': ({ notified = [], text }) =>
    noticesFor(notified, 'mentioned', { snippet: text }),
  'rule.paused': ({ notified = [], text }) => noticesFor(notified, 'mentioned', { snippet: text }),
  'task.due_soon': (_, { participants }) => noticesFor(participants, 'due_soon'),
  'task.overdue': (_, { participants }) => noticesFor(participants, 'overdue'),
}

/** An update of one of these fields may end the reminders of a task. */
const REMINDER_FIELDS: readonly unknown[] = ['section_id', 'status', 'due_date']
export const mayEndReminders = ({ type, data }: { type: string; data: object }) =>
  type === 'task.updated' &&
  ((data as ChangeData).changed ?? []).some((field) => REMINDER_FIELDS.includes(field))

/** Whether `notify` has to look at a change. All other changes leave the inboxes as they are. */
export const isNotifiable = (change: { type: string; data: object }) =>
  Object.hasOwn(NOTICE_RULES, change.type) || mayEndReminders(change)
