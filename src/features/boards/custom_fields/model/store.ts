import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { cachedLoader } from '../../../../store/cache.ts'
import { forUpdate } from '../../../../store/columns.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import {
  cleanName,
  foldName,
  type Project,
  placeOf,
  touchProject,
} from '../../projects/model/index.ts'
import type { FieldType, Option } from './rules.ts'
import type { FieldRow } from './schema.ts'
import { customFields } from './tables.ts'

export type CustomField = typeof customFields.$inferSelect
type Board = Pick<Project, 'team_id' | 'project_id'>

/** The most custom fields of a board, since a task shows all of its values. */
const MAX_FIELDS = 50

const onBoard = ({ team_id, project_id }: Board) =>
  and(eq(customFields.team_id, team_id), eq(customFields.project_id, project_id))

export const fieldsOf = (tx: Tx, board: Board): Promise<CustomField[]> =>
  tx
    .select()
    .from(customFields)
    .where(onBoard(board))
    .orderBy(asc(customFields.name), asc(customFields.custom_field_id))

const selectAny = prepared((tx) =>
  tx
    .select({ team_id: customFields.team_id })
    .from(customFields)
    .where(eq(customFields.team_id, param('team_id')))
    .limit(1)
    .prepare('custom_fields_any'),
)

/** Whether a team has custom fields at all; most have none, which saves queries for values. */
export const teamsWithFields = cachedLoader<number, boolean>({
  key: (team_id) => team_id,
  dependsOn: [[customFields.team_id]],
  async load(tx, teams) {
    const found = new Map<number, boolean>()
    for (const team_id of teams)
      found.set(team_id, (await selectAny(tx).execute({ team_id })).length > 0)
    return found
  },
})

export const fieldsById = cachedLoader<number, CustomField>({
  key: (custom_field_id) => custom_field_id,
  dependsOn: [[customFields.custom_field_id]],
  async load(tx, ids) {
    const rows = await tx
      .select()
      .from(customFields)
      .where(inArray(customFields.custom_field_id, [...ids]))
    return new Map(rows.map((row) => [row.custom_field_id, row]))
  },
})

/**
 * Finds a field of the board by id, by name, or by both, which must agree; undefined if no field
 * has the name.
 */
export async function findFieldByReference(
  { tx }: Pick<Context, 'tx'>,
  board: Board,
  { field_id, field_name }: { field_id?: string; field_name?: string },
): Promise<CustomField | undefined> {
  const known = await fieldsOf(tx, board)
  const byId = known.find((field) => field.field_id === field_id?.toLowerCase())
  if (field_id !== undefined && !byId) throw fieldNotFound(known, field_id)
  if (field_name === undefined) return byId
  const byName = known.find((field) => field.folded === foldName(field_name))
  if (byId && byId !== byName)
    throw fault.invalid(
      'field_name',
      'conflict',
      'field_id and field_name refer to different fields',
      field_name,
      'Send only one of them',
    )
  return byName
}

export async function findField(ctx: Context, board: Board, field_id: string) {
  return (await findFieldByReference(ctx, board, { field_id }))!
}

/** Locks a field until the transaction ends, so that it cannot be deleted or changed meanwhile. */
export async function lockField(tx: Tx, { custom_field_id, field_id }: CustomField) {
  const hasId = eq(customFields.custom_field_id, custom_field_id)
  const [field] = await forUpdate(tx.select().from(customFields).where(hasId))
  if (!field) throw fieldNotFound([], field_id)
  return field
}

function fieldNotFound(known: readonly CustomField[], field_id: string) {
  const names = known.map(({ name, field_id }) => `${name} (${field_id})`).slice(0, 10)
  return fault.notFound(
    'field_id',
    'This board has no such custom field',
    field_id,
    names.length ? `It has ${names.join(', ')}` : 'List them: svc_custom_fields list',
  )
}

/** Normalizes a name, and refuses one that another field of the board has. */
export function uniqueName(
  known: readonly CustomField[],
  requested: string,
  own?: CustomField,
): string {
  const name = cleanName('name', requested)
  const existing = known.find((field) => field.folded === foldName(name))
  if (!existing || existing.custom_field_id === own?.custom_field_id) return name
  throw fault.conflict(
    `This board already has a field "${existing.name}"`,
    { field: 'name', value: name, field_id: existing.field_id },
    'Use that field, or choose another name',
  )
}

export async function createField(
  ctx: Context,
  project: Project,
  draft: { name: string; type: FieldType; options?: Option[] },
): Promise<CustomField> {
  const { tx, now, caller } = ctx
  const { team_id, project_id } = project
  await touchProject(tx, project, now)
  const known = await fieldsOf(tx, project)
  const name = uniqueName(known, draft.name)
  if (known.length >= MAX_FIELDS)
    throw fault.conflict(
      `A board has at most ${MAX_FIELDS} custom fields`,
      { field: 'name', limit: MAX_FIELDS },
      'Delete one that is no longer used',
    )
  const [field] = await tx
    .insert(customFields)
    .values({
      team_id,
      project_id,
      name,
      folded: foldName(name),
      type: draft.type,
      field_id: Bun.randomUUIDv7(),
      options: draft.options ?? null,
      created_by: caller.actor_id,
      created_at: now,
    })
    .returning()
  const { field_id, type } = field!
  ctx.emit('custom_field.created', placeOf(project), { field_id, name, type })
  return field!
}

export const toFieldRow = (row: CustomField): FieldRow => ({
  field_id: row.field_id,
  project_id: row.project_id,
  name: row.name,
  type: row.type,
  options: row.options ?? [],
  created_at: row.created_at.toISOString(),
})

export function receiptOf({ field_id, project_id, name, type, options }: CustomField) {
  return { field_id, project_id, name, type, options: options ?? [] }
}
