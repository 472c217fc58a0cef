import { Type as t } from '@sinclair/typebox'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { leaseInput, operation } from '../../../../kernel/operation.ts'
import { Edit, save } from '../../../tasks/edits/model/index.ts'
import { receiptOf, TaskReceipt } from '../../../tasks/records/model/index.ts'
import { address, locateTask, taskIdOf } from '../../../tasks/tasks/model/index.ts'
import { cleanName, foldName, type Project, touchProject } from '../../projects/model/index.ts'
import { findSection } from '../../sections/model/index.ts'
import { clearsField, type FieldInput, parseNumber } from '../model/rules.ts'
import { FieldId, FieldName } from '../model/schema.ts'
import {
  type CustomField,
  createField,
  fieldsOf,
  findFieldByReference,
  lockField,
} from '../model/store.ts'
import { setValue } from '../model/values.ts'

export const setField = operation({
  name: 'custom_fields.set',
  summary: 'Set a custom field of a task; an unknown name creates a Number field',
  needs: 'tasks:write',
  on: {
    rest: 'PUT /api/v1/tasks/:task/custom-fields',
    mcp: 'svc_custom_fields.set',
    cli: { usage: 'fields set <task> <field_name> <value>', example: 'HOM-1 Points 5' },
    chat: true,
  },
  input: t.Object({
    ...address,
    field_id: t.Optional(FieldId),
    field_name: t.Optional(FieldName),
    value: t.Union([t.String({ maxLength: 20_000 }), t.Number(), t.Boolean(), t.Null()], {
      description:
        'A number, text, option id or label, YYYY-MM-DD, true or false, URL; null clears',
    }),
    ...leaseInput,
  }),
  output: t.Object({
    ...TaskReceipt.properties,
    field_id: t.Union([t.String(), t.Null()]),
    field_created: t.Boolean(),
  }),
  guard: { by: 'lease', tasks: taskIdOf },
  async run({ field_id, field_name, value, ...address }, ctx) {
    const { task, project } = await locateTask(ctx, address)
    const section = await findSection(ctx, task, task.section_id)
    const { field, created } = await resolveField(ctx, project, { field_id, field_name }, value)
    const edit = new Edit(ctx, task)
    if (field) await setValue(edit, field, value)
    return {
      ...receiptOf(ctx, await save(edit), section, edit.changed),
      field_id: field?.field_id ?? null,
      field_created: created,
    }
  },
})

interface FieldReference {
  field_id?: string
  field_name?: string
}

/** Finds and locks the field. A missing one is created if the value is a number. */
async function resolveField(
  ctx: Context,
  project: Project,
  reference: FieldReference,
  value: FieldInput,
): Promise<{ field?: CustomField; created: boolean }> {
  const { field_id, field_name } = reference
  if (field_id === undefined && field_name === undefined)
    throw fault.invalid(
      'field_name',
      'required',
      'The field is required: field_name or field_id',
      undefined,
      'List the fields of the board: svc_custom_fields list',
    )
  const found = await findFieldByReference(ctx, project, reference)
  if (found) return { field: await lockField(ctx.tx, found), created: false }
  const name = cleanName('field_name', field_name!)
  if (clearsField(value)) {
    ctx.warn('field_name', 'not_found', `This board has no field "${name}", so nothing was cleared`)
    return { created: false }
  }
  if (parseNumber(value) === undefined) throw notANumber(name, value)
  // Once the board is locked, a field that was created concurrently is visible.
  await touchProject(ctx.tx, project, ctx.now)
  const existing = (await fieldsOf(ctx.tx, project)).find(
    (field) => field.folded === foldName(name),
  )
  if (existing) return { field: existing, created: false }
  return { field: await createField(ctx, project, { name, type: 'number' }), created: true }
}

const notANumber = (name: string, value: FieldInput) =>
  fault.invalid(
    'value',
    'invalid_type',
    `This board has no field "${name}", and only Number fields are created automatically`,
    value,
    'Check the name with svc_custom_fields list, send a number, or create a text, select, date, checkbox or url field first: POST /api/v1/projects/{project_id}/custom-fields',
  )
