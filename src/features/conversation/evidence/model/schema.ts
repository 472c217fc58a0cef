import { type Static, type TSchema, Type as t } from '@sinclair/typebox'
import { Actor, Id, Timestamp } from '../../../identity/people/model/index.ts'
import { AttachmentId } from '../../../tasks/files/model/index.ts'
import { KINDS } from './rules.ts'

const orNull = <T extends TSchema>(type: T) => t.Union([type, t.Null()])

export const MOST_SUMMARY = 2000

export const EvidenceId = Id('Id of a piece of evidence')
export const Kind = t.Union(KINDS.map((kind) => t.Literal(kind)))
export const Summary = t.String({
  minLength: 1,
  maxLength: MOST_SUMMARY,
  pattern: '\\S',
  description: 'What it shows, in plain words',
})
export const Url = t.String({
  minLength: 1,
  maxLength: 2000,
  description: 'http or https URL; required for a link',
})

const fields = {
  evidence_id: EvidenceId,
  kind: Kind,
  summary: t.String(),
  url: orNull(t.String()),
  attachment: orNull(
    t.Object(
      { attachment_id: AttachmentId, filename: t.String(), url: t.String() },
      { description: 'Also null once the file was deleted from the task' },
    ),
  ),
}

export const EvidenceRow = t.Object(
  { ...fields, created_by: Actor, created_at: Timestamp },
  { columns: [...Object.keys(fields), 'created_by.name', 'created_at'] },
)
export type EvidenceRow = Static<typeof EvidenceRow>

export const EvidenceReceipt = t.Object({
  evidence_id: EvidenceId,
  task_id: Id('Id of a task'),
  ticket_number: t.String(),
  kind: Kind,
  summary: t.String(),
  url: orNull(t.String()),
  attachment_id: orNull(AttachmentId),
})
