import { type Static, Type as t } from '@sinclair/typebox'
import { Id, Timestamp } from '../../../identity/people/model/index.ts'
import { ProjectId } from '../../projects/model/index.ts'

export const LabelId = Id('Id of a label')
/** Unique on its board, regardless of case. */
export const LabelName = t.String({ minLength: 1, maxLength: 100, description: 'Name of a label' })
export const Color = t.String({
  pattern: '^#[0-9a-fA-F]{6}$',
  maxLength: 7,
  description: '#rrggbb; default: chosen by the name',
})

export const LabelRow = t.Object(
  {
    label_id: LabelId,
    project_id: ProjectId,
    name: t.String(),
    color: t.String(),
    created_at: Timestamp,
  },
  {
    columns: ['label_id', 'name'],
    omits: {
      project_id: 'the call names it',
      color: 'only screens show it',
      created_at: 'labels are known by their names',
    },
  },
)
export type LabelRow = Static<typeof LabelRow>

export const LabelReceipt = t.Object({
  label_id: LabelId,
  project_id: ProjectId,
  name: t.String(),
  color: t.String(),
  changed: t.Array(t.String()),
})

export const LabelRef = t.Union([Id('Id of a label'), t.String({ minLength: 1, maxLength: 100 })])
