import { type Static, Type as t } from '@sinclair/typebox'
import { Timestamp } from '../people/index.ts'
import { ProjectId } from '../projects/index.ts'
import { TYPES } from './rules.ts'

const UUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
const uuid = (description: string) => t.String({ pattern: UUID, maxLength: 36, description })

export const FieldId = uuid('Id of a custom field')
/** Unique on its board, regardless of case. */
export const FieldName = t.String({
  minLength: 1,
  maxLength: 100,
  description: 'Name of a custom field',
})
export const FieldType = t.Union(TYPES.map((type) => t.Literal(type)))

const OptionLabel = t.String({ minLength: 1, maxLength: 100, description: 'Text of the option' })
export const MAX_OPTIONS = 100
export const options = (description: string) =>
  t.Array(t.Object({ option_id: t.Optional(uuid('Id of an option')), label: OptionLabel }), {
    maxItems: MAX_OPTIONS,
    description,
  })
const Option = t.Object({ option_id: t.String(), label: t.String() })

export const FieldRow = t.Object(
  {
    field_id: t.String(),
    project_id: ProjectId,
    name: t.String(),
    type: FieldType,
    options: t.Array(Option, { description: 'For a select field; empty for other types' }),
    created_at: Timestamp,
  },
  {
    columns: ['field_id', 'name', 'type', 'options'],
    omits: {
      project_id: 'the call names it',
      created_at: 'fields are in the order in which they were made',
    },
  },
)
export type FieldRow = Static<typeof FieldRow>

export const FieldReceipt = t.Object({
  field_id: t.String(),
  project_id: ProjectId,
  name: t.String(),
  type: FieldType,
  options: t.Array(Option),
})
