import { type Static, Type as t } from '@sinclair/typebox'
import { and, count, eq, inArray } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import {
  findProject,
  foldName,
  type Project,
  ProjectId,
  placeOf,
  touchProject,
} from '../../projects/model/index.ts'
import { resolveOptions } from '../model/rules.ts'
import { FieldId, FieldName, FieldReceipt, options as optionDrafts } from '../model/schema.ts'
import {
  type CustomField,
  fieldsOf,
  findField,
  lockField,
  receiptOf,
  uniqueName,
} from '../model/store.ts'
import { customFields, taskFields } from '../model/tables.ts'

const ROUTE = '/api/v1/projects/:project_id/custom-fields/:field_id'
const fieldAddress = { project_id: ProjectId, field_id: FieldId }

export const updateField = operation({
  name: 'custom_fields.update',
  summary: 'Rename a custom field, or change the options of a select',
  needs: 'projects:write',
  on: {
    rest: `PATCH ${ROUTE}`,
    cli: { usage: 'fields update <project_id> <field_id>', example: 'HOM Points --name Effort' },
  },
  input: t.Object({
    ...fieldAddress,
    name: t.Optional(FieldName),
    options: t.Optional(
      optionDrafts('Replaces all options; include option_id to keep or rename one'),
    ),
    force: t.Optional(
      t.Boolean({ description: 'Delete options in use, and clear them on their tasks' }),
    ),
  }),
  output: t.Object({
    ...FieldReceipt.properties,
    changed: t.Array(t.String()),
    cleared_tasks: t.Integer(),
  }),
  async run(input, ctx) {
    const { project, field } = await locateField(ctx, input)
    const next = await nextDefinition(ctx, project, field, input)
    const changed = (['name', 'options'] as const).filter(
      (name) => JSON.stringify(next[name]) !== JSON.stringify(field[name]),
    )
    if (!changed.length) return { ...receiptOf(field), changed: [], cleared_tasks: 0 }
    const cleared_tasks = await clearRemovedOptions(ctx, field, next.options, input.force)
    const [after] = await ctx.tx
      .update(customFields)
      .set({ ...next, folded: foldName(next.name) })
      .where(eq(customFields.custom_field_id, field.custom_field_id))
      .returning()
    const { field_id, name, type } = after!
    const data = { field_id, name, type, changed, cleared_tasks }
    ctx.emit('custom_field.updated', placeOf(project), data)
    return { ...receiptOf(after!), changed: [...changed], cleared_tasks }
  },
})

export const removeField = operation({
  name: 'custom_fields.delete',
  summary: 'Delete a custom field and its values on tasks',
  needs: 'projects:write',
  destroys: true,
  on: {
    rest: `DELETE ${ROUTE}`,
    cli: { usage: 'fields delete <project_id> <field_id>', example: 'HOM Points' },
  },
  input: t.Object(fieldAddress),
  output: t.Object({
    field_id: t.String(),
    project_id: ProjectId,
    name: t.String(),
    deleted: t.Literal(true),
    cleared_tasks: t.Integer(),
  }),
  async run(input, ctx) {
    const { project, field } = await locateField(ctx, input)
    const { field_id, name, type, custom_field_id } = field
    const cleared_tasks = await countOf(ctx.tx, field)
    await ctx.tx.delete(taskFields).where(inField(field))
    await ctx.tx.delete(customFields).where(eq(customFields.custom_field_id, custom_field_id))
    ctx.emit('custom_field.deleted', placeOf(project), { field_id, name, type, cleared_tasks })
    return { field_id, project_id: project.project_id, name, deleted: true as const, cleared_tasks }
  },
})

/**
 * Locks the board before the field. Setting a value locks the field alone, so this order cannot
 * deadlock.
 */
async function locateField(
  ctx: Context,
  { project_id, field_id }: { project_id: number; field_id: string },
) {
  const project = await findProject(ctx, project_id)
  await touchProject(ctx.tx, project, ctx.now)
  return { project, field: await lockField(ctx.tx, await findField(ctx, project, field_id)) }
}

async function nextDefinition(
  ctx: Context,
  project: Project,
  field: CustomField,
  { name, options }: Pick<Static<typeof updateField.input>, 'name' | 'options'>,
): Promise<Pick<CustomField, 'name' | 'options'>> {
  if (options && field.type !== 'select')
    throw fault.invalid('options', 'conflict', `"${field.name}" is a ${field.type} field`)
  return {
    name:
      name === undefined ? field.name : uniqueName(await fieldsOf(ctx.tx, project), name, field),
    options: options
      ? resolveOptions(field.options ?? [], options, Bun.randomUUIDv7)
      : field.options,
  }
}

/** Removes an option that tasks use only with `force`, and clears it there. */
async function clearRemovedOptions(
  { tx }: Context,
  field: CustomField,
  options: CustomField['options'],
  force = false,
): Promise<number> {
  const remaining = new Set(options?.map(({ option_id }) => option_id))
  const removed = (field.options ?? []).filter(({ option_id }) => !remaining.has(option_id))
  const ids = removed.map(({ option_id }) => option_id)
  const affected = ids.length ? await countOf(tx, field, ids) : 0
  if (!affected) return 0
  if (!force)
    throw fault.conflict(
      `${affected} ${affected === 1 ? 'task uses' : 'tasks use'} one of the options ${removed.map(({ label }) => label).join(', ')}`,
      { field: 'options', tasks: affected },
      'Set another option on them first, rename the option by its option_id, or send force: true to clear it',
    )
  await tx.delete(taskFields).where(and(inField(field), inArray(taskFields.text, ids)))
  return affected
}

const inField = ({ team_id, custom_field_id }: CustomField) =>
  and(eq(taskFields.team_id, team_id), eq(taskFields.custom_field_id, custom_field_id))

async function countOf(tx: Tx, field: CustomField, options?: string[]): Promise<number> {
  const hasOption = options ? inArray(taskFields.text, options) : undefined
  const [row] = await tx
    .select({ many: count() })
    .from(taskFields)
    .where(and(inField(field), hasOption))
  return row!.many
}
