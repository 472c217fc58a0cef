import { Type as t } from '@sinclair/typebox'
import type { Context } from '../../../kernel/caller.ts'
import { fault } from '../../../kernel/fault.ts'
import { leased, operation } from '../../../kernel/operation.ts'
import {
  type CustomField,
  createField,
  FieldId,
  FieldName,
  fieldsOf,
  type Given,
  holdField,
  isEmpty,
  type Kept,
  keptOf,
  namedField,
  numberOf,
} from '../../custom_fields/index.ts'
import { folded, nameOf, type Project, touchProject } from '../../projects/index.ts'
import { findSection } from '../../sections/index.ts'
import { addressed, locateTask } from '../address.ts'
import { Edit } from '../edit.ts'
import { receiptOf } from '../records.ts'
import { address, TaskReceipt } from '../schema.ts'
import { save } from '../update.ts'
import { nameIn, replaceValue, toldOf, valuesOn } from './values.ts'

export const setField = operation({
  name: 'custom_fields.set',
  summary: 'Set a custom field of a task; a name nobody uses yet makes a Number field',
  needs: 'tasks:write',
  on: {
    rest: 'PUT /api/v1/tasks/:task/custom-fields',
    mcp: 'svc_custom_fields.set',
    cli: 'fields set <task> <field_name> <value>',
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
    ...leased,
  }),
  output: t.Object({
    ...TaskReceipt.properties,
    field_id: t.Union([t.String(), t.Null()]),
    field_created: t.Boolean(),
  }),
  guard: { by: 'lease', tasks: addressed },
  async run({ field_id, field_name, value, ...named }, ctx) {
    const { task, project } = await locateTask(ctx, named)
    const section = await findSection(ctx, task, task.section_id)
    const { field, created } = await fieldFor(ctx, project, { field_id, field_name }, value)
    const edit = new Edit(ctx, task)
    if (field) await put(edit, field, value)
    return {
      ...receiptOf(ctx, await save(edit), section, edit.changed),
      field_id: field?.field_id ?? null,
      field_created: created,
    }
  },
})

async function put(edit: Edit, field: CustomField, value: Given): Promise<void> {
  const { ctx, task } = edit
  const before = (await valuesOn(ctx.tx, task)).find((one) => one.field.field_id === field.field_id)
  const kept = isEmpty(value) ? undefined : keptOf(field, value)
  if (same(before?.kept, kept)) return
  await replaceValue(ctx.tx, task, field, kept)
  edit.tell(nameIn(field), toldOf(field, before?.kept), toldOf(field, kept))
}

const same = (a: Kept | undefined, b: Kept | undefined) =>
  a?.number === b?.number && a?.text === b?.text

interface Named {
  field_id?: string
  field_name?: string
}

/** The field that is meant, held; one that is missing is made, if there is a number to put in. */
async function fieldFor(
  ctx: Context,
  project: Project,
  named: Named,
  value: Given,
): Promise<{ field?: CustomField; created: boolean }> {
  const { field_id, field_name } = named
  if (field_id === undefined && field_name === undefined)
    throw fault.invalid(
      'field_name',
      'required',
      'Name the field: field_name, or field_id',
      undefined,
      'List the fields of the board: svc_custom_fields list',
    )
  const known = await namedField(ctx, project, named)
  if (known) return { field: await holdField(ctx.tx, known), created: false }
  const name = nameOf('field_name', field_name!)
  if (isEmpty(value)) {
    ctx.warn('field_name', 'not_found', `This board has no field "${name}", so none was cleared`)
    return { created: false }
  }
  if (numberOf(value) === undefined) throw noNumber(name, value)
  // Whoever made it at this very moment is seen once the board is held.
  await touchProject(ctx.tx, project, ctx.now)
  const meanwhile = (await fieldsOf(ctx.tx, project)).find((one) => one.folded === folded(name))
  if (meanwhile) return { field: meanwhile, created: false }
  return { field: await createField(ctx, project, { name, type: 'number' }), created: true }
}

const noNumber = (name: string, value: Given) =>
  fault.invalid(
    'value',
    'invalid_type',
    `This board has no field "${name}", and only a Number field is made by setting it`,
    value,
    'Check the name with svc_custom_fields list, give a number, or create a text, select, date, checkbox or url field first: POST /api/v1/projects/{project_id}/custom-fields',
  )
