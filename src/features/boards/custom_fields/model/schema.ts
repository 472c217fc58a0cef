import { type Static, Type as t } from '@sinclair/typebox'
import { Timestamp } from '../../../identity/people/model/index.ts'
import { ProjectId } from '../../projects/model/index.ts'
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

/** The value of a field in the output of a task. */
export const OutputValue = t.Object(
  {
    field_id: t.String(),
    name: t.String(),
    type: FieldType,
    value: t.Union([t.String(), t.Number(), t.Boolean()]),
    label: t.Optional(t.String({ description: 'Label of the option; value is its id' })),
    clipped: t.Optional(t.Boolean({ description: 'value is truncated; get returns all of it' })),
  },
  {
    columns: ['name', 'value', 'label'],
    omits: { field_id: 'the name is unique on the board', type: 'the value shows it' },
  },
)
export type OutputValue = Static<typeof OutputValue>
