/** The events that agents receive, by webhook and by polling. */
export const EVENTS = [
  'comment.mention',
  'task.assigned',
  'task.unassigned',
  'comment.created',
  'task.updated',
  'task.created',
  'chat.message',
  'comment.reaction',
  'run.created',
  'run.prompted',
  'run.stopped',
] as const
export type EventName = (typeof EVENTS)[number]

export const isEvent = (type: string): type is EventName => Object.hasOwn(RECIPIENT_RULES, type)

export interface Listener {
  actor_id: number
  agent_id: string
}

interface ChangeFacts {
  type: string
  /** Who made the change. */
  actor_id: number
  data: Record<string, unknown>
}

type RecipientRule = (data: Record<string, unknown>, listener: Listener) => boolean

const everybody: RecipientRule = () => true
const assignee: RecipientRule = ({ actor }, { agent_id }) =>
  (actor as { agent_id?: string } | undefined)?.agent_id === agent_id
const mentionedAgent: RecipientRule = ({ actor_id }, listener) => actor_id === listener.actor_id
const author: RecipientRule = ({ author_id }, { actor_id }) => author_id === actor_id
const namedAgent: RecipientRule = (data, { agent_id }) => data.agent_id === agent_id

/** For each event, which of the agents that can see the board receive it. */
const RECIPIENT_RULES: Readonly<Record<EventName, RecipientRule>> = {
  'task.created': everybody,
  'task.updated': everybody,
  'task.assigned': assignee,
  'task.unassigned': assignee,
  'comment.created': everybody,
  'comment.mention': mentionedAgent,
  'comment.reaction': author,
  'chat.message': namedAgent,
  'run.created': namedAgent,
  'run.prompted': namedAgent,
  'run.stopped': namedAgent,
}

/** An agent does not receive its own changes. */
export const isRecipient = ({ type, actor_id, data }: ChangeFacts, listener: Listener): boolean =>
  isEvent(type) && actor_id !== listener.actor_id && RECIPIENT_RULES[type](data, listener)

export interface WebhookFilter {
  wanted: readonly EventName[] | null
  wanted_from: number | null
  wanted_project_id: number | null
}

/** Whether a change goes to the agent's webhook and not to polling. */
export const goesToWebhook = (
  { wanted, wanted_from, wanted_project_id }: WebhookFilter,
  { type, seq, project_id }: { type: string; seq: number; project_id: number | null },
): boolean =>
  wanted?.includes(type as EventName) === true &&
  seq > (wanted_from ?? 0) &&
  (wanted_project_id === null || wanted_project_id === project_id)

interface ChangeKey {
  seq: number
  created_at: Date
}

/**
 * The same for each delivery of a change to an agent, so that duplicates are recognised. The time
 * distinguishes it from a change with the same seq before a restore.
 */
export const messageId = (actor_id: number, { seq, created_at }: ChangeKey): string =>
  `msg_${actor_id}_${seq}_${created_at.getTime().toString(36)}`

const ID = /^msg_(\d{1,10})_(\d{1,15})_[a-z\d]{1,12}$/

/** The seq in a message id, if it is of this agent. */
export function seqIn(id: string, actor_id: number): number | undefined {
  const parts = ID.exec(id)
  return parts && Number(parts[1]) === actor_id ? Number(parts[2]) : undefined
}
