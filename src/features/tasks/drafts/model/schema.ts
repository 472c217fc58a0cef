import { type Static, Type as t } from '@sinclair/typebox'
import { Id, Timestamp } from '../../../identity/people/model/index.ts'

export const DraftId = Id('Id of a draft')
export const DraftType = t.Union([t.Literal('comment'), t.Literal('description')])
/** At most 1 MB, like every text. */
export const DraftText = t.String({
  minLength: 1,
  maxLength: 1_048_576,
  description: 'HTML; markdown is converted',
})

const fields = {
  draft_id: DraftId,
  draft_type: DraftType,
  task_id: Id('Id of a task'),
  ticket_number: t.String(),
  excerpt: t.String({ description: 'Beginning of the text, without tags' }),
  content_type: t.Literal('html'),
  length: t.Integer({ description: 'Characters' }),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const DraftRow = t.Object(
  { ...fields, text: t.Optional(t.String({ description: 'Only if fields asks for it' })) },
  {
    columns: ['draft_id', 'draft_type', 'ticket_number', 'excerpt', 'updated_at'],
    omits: {
      task_id: 'ticket_number names the task',
      created_at: 'updated_at is the later of the two',
    },
  },
)
export type DraftRow = Static<typeof DraftRow>

export const DraftRecord = t.Object({ ...fields, text: t.String() })

export const DraftReceipt = t.Object({
  draft_id: DraftId,
  draft_type: DraftType,
  task_id: Id('Id of a task'),
  ticket_number: t.String(),
  content_type: t.Literal('html'),
})
export type DraftReceipt = Static<typeof DraftReceipt>

export const PublishReceipt = t.Object({
  ...DraftReceipt.properties,
  comment_id: t.Optional(Id('Id of the comment it became')),
  description_version: t.Optional(t.Integer({ description: 'Current version of the description' })),
})
