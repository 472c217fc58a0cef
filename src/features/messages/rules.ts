/** What can be told to an agent, by webhook and by polling alike. */
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

export const isEvent = (type: string): type is EventName => Object.hasOwn(TOLD, type)

export interface Listener {
  actor_id: number
  agent_id: string
}

interface Happened {
  type: string
  /** Who did it. */
  actor_id: number
  data: Record<string, unknown>
}

type Concerns = (data: Record<string, unknown>, listener: Listener) => boolean

const everybody: Concerns = () => true
const named: Concerns = ({ actor }, { agent_id }) =>
  (actor as { agent_id?: string } | undefined)?.agent_id === agent_id
const called: Concerns = ({ actor_id }, listener) => actor_id === listener.actor_id
const author: Concerns = ({ author_id }, { actor_id }) => author_id === actor_id
const addressed: Concerns = (data, { agent_id }) => data.agent_id === agent_id

/** Whom each event is told to, of the agents that can see the board. */
const TOLD: Readonly<Record<EventName, Concerns>> = {
  'task.created': everybody,
  'task.updated': everybody,
  'task.assigned': named,
  'task.unassigned': named,
  'comment.created': everybody,
  'comment.mention': called,
  'comment.reaction': author,
  'chat.message': addressed,
  'run.created': addressed,
  'run.prompted': addressed,
  'run.stopped': addressed,
}

/** Nobody is told what they did themselves. */
export const isTold = ({ type, actor_id, data }: Happened, listener: Listener): boolean =>
  isEvent(type) && actor_id !== listener.actor_id && TOLD[type](data, listener)

export interface Wish {
  wanted: readonly EventName[] | null
  wanted_from: number | null
  wanted_project_id: number | null
}

/** Whether a change is for an agent's webhook to bring, and not for polling. */
export const isWanted = (
  { wanted, wanted_from, wanted_project_id }: Wish,
  { type, seq, project_id }: { type: string; seq: number; project_id: number | null },
): boolean =>
  wanted?.includes(type as EventName) === true &&
  seq > (wanted_from ?? 0) &&
  (wanted_project_id === null || wanted_project_id === project_id)

interface Numbered {
  seq: number
  created_at: Date
}

/**
 * Always the same for the same change and agent, so that who hears twice knows it. The moment sets
 * it apart from what had this number before a restore.
 */
export const messageId = (actor_id: number, { seq, created_at }: Numbered): string =>
  `msg_${actor_id}_${seq}_${created_at.getTime().toString(36)}`

const ID = /^msg_(\d{1,10})_(\d{1,15})_[a-z\d]{1,12}$/

/** The change that an id tells of, if it is of this agent. */
export function seqIn(id: string, actor_id: number): number | undefined {
  const parts = ID.exec(id)
  return parts && Number(parts[1]) === actor_id ? Number(parts[2]) : undefined
}
