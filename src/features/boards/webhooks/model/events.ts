import type { ChangeType } from '../../../../kernel/changes.ts'

type Data = Record<string, unknown>

interface Event {
  change: ChangeType
  /** What `data` of its message contains besides the task. */
  data(data: Data): Data
  /** Only changes of this kind; two events can come from one change. */
  only?(data: Data, facts: Facts): boolean
}

interface Facts {
  /** Whether the task is in a done column now. */
  isDone: boolean
}

const changedFields = ({ changed }: Data) => (Array.isArray(changed) ? (changed as string[]) : [])
const isMove = (data: Data) => changedFields(data).includes('section_id')
const pickFrom =
  (...names: readonly string[]) =>
  (data: Data): Data =>
    Object.fromEntries(names.flatMap((name) => (name in data ? [[name, data[name]]] : [])))

const update = pickFrom('changed', 'before', 'after')
const assignee = ({ actor }: Data): Data => ({ assignee: actor })
const comment = ({ comment_id, snippet, reply_to_comment_id }: Data): Data => ({
  comment_id,
  text: snippet,
  ...(reply_to_comment_id !== undefined && { reply_to_comment_id }),
})
const decision = pickFrom('decision_request_id', 'question', 'selected_option')
const escalation = pickFrom('escalation_id', 'reason', 'note')
const run = pickFrom('run_id', 'agent_id', 'state', 'summary', 'reason')
const pullRequest = ({ pull_request_id, title, state, checks, changed }: Data): Data => ({
  pull_request: { pull_request_id, title, state, checks },
  ...(changed !== undefined && { changed }),
})
const event = (change: ChangeType, data: Event['data'], only?: Event['only']): Event => ({
  change,
  data,
  ...(only && { only }),
})

/**
 * What webhooks of boards and teams can receive. One change is sent once, as the first event of
 * this list that the webhook wants. All of them are about a task, and none is private to a person.
 */
export const EVENTS = {
  'task.created': event('task.created', () => ({})),
  'task.completed': event('task.updated', update, (data, { isDone }) => isMove(data) && isDone),
  'task.moved': event('task.updated', update, isMove),
  'task.updated': event('task.updated', update),
  'task.assigned': event('task.assigned', assignee),
  'task.unassigned': event('task.unassigned', assignee),
  'task.due_soon': event('task.due_soon', pickFrom('due_date')),
  'task.overdue': event('task.overdue', pickFrom('due_date')),
  'comment.created': event('comment.created', comment),
  'comment.updated': event('comment.updated', comment),
  'decision.requested': event('decision.requested', decision),
  'decision.answered': event('decision.answered', decision),
  'escalation.created': event('escalation.created', escalation),
  'escalation.resolved': event('escalation.resolved', escalation),
  'pull_request.created': event('pull_request.created', pullRequest),
  'pull_request.updated': event('pull_request.updated', pullRequest),
  'run.created': event('run.created', run),
  'run.waiting': event('run.waiting', run),
  'run.done': event('run.done', run),
  'run.failed': event('run.failed', run),
} as const satisfies Record<string, Event>
export type EventName = keyof typeof EVENTS
export const EVENT_NAMES = Object.keys(EVENTS) as EventName[]

const CHANGE_TYPES: ReadonlySet<string> = new Set(EVENT_NAMES.map((name) => EVENTS[name].change))
export const isSendable = ({ type, task_id }: { type: string; task_id: number | null }) =>
  task_id !== null && CHANGE_TYPES.has(type)

/** The event as which a webhook receives a change; undefined if it does not want it. */
export const eventFor = (
  wanted: readonly EventName[],
  { type, data }: { type: string; data: Data },
  facts: Facts,
): EventName | undefined =>
  EVENT_NAMES.find((name) => {
    const { change, only }: Event = EVENTS[name]
    return change === type && wanted.includes(name) && (only?.(data, facts) ?? true)
  })
