import type { Input, Output } from '../data/client.ts'

type Row = Output<'inbox.list'>['items'][number]
type Named = 'notification_id' | 'task' | 'actor' | 'important' | 'snippet' | 'created_at'

/** One notification, as a list of them has it. */
export type Note = Row & Required<Pick<Row, Named | 'read_at' | 'archived_at'>>
export type Kind = Note['kind']
export type Action = Input<'inbox.mark'>['action']

/** By these somebody wants something of the one who is told. */
const ASKS: ReadonlySet<Kind> = new Set(['mentioned', 'decision_requested', 'escalated'])
export const isAsked = ({ kind }: Note) => ASKS.has(kind)
const SAYS: ReadonlySet<Kind> = new Set(['replied', 'commented'])
/** Whether there is somebody to write back to. */
export const mayAnswer = (note: Note) =>
  (isAsked(note) || SAYS.has(note.kind)) && note.actor.kind !== 'system'
