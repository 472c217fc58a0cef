import type { Input, Output } from '../../data/client.ts'

type Row = Output<'inbox.list'>['items'][number]
type RequiredFields = 'notification_id' | 'task' | 'actor' | 'important' | 'snippet' | 'created_at'

/** A notification as the list loads it. */
export type Note = Row & Required<Pick<Row, RequiredFields | 'read_at' | 'archived_at'>>
export type Kind = Note['kind']
export type Action = Input<'inbox.mark'>['action']

/** Kinds that request something from the recipient. */
const REQUEST_KINDS: ReadonlySet<Kind> = new Set(['mentioned', 'decision_requested', 'escalated'])
export const isRequest = ({ kind }: Note) => REQUEST_KINDS.has(kind)
const COMMENT_KINDS: ReadonlySet<Kind> = new Set(['replied', 'commented'])
/** Whether the notification can be replied to. */
export const canReply = (note: Note) =>
  (isRequest(note) || COMMENT_KINDS.has(note.kind)) && note.actor.kind !== 'system'
