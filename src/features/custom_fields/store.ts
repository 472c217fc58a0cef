import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Context, Tx } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { held } from '../../store/columns.ts'
import { param, prepared } from '../../store/prepared.ts'
import { recall } from '../../store/recall.ts'
import { folded, nameOf, type Project, placeOf, touchProject } from '../projects/index.ts'
import type { FieldType, Option } from './rules.ts'
import type { FieldRow } from './schema.ts'
import { customFields } from './tables.ts'

export type CustomField = typeof customFields.$inferSelect
type Board = Pick<Project, 'team_id' | 'project_id'>

/** Every task of a board shows all of them that it has. */
const MOST_FIELDS = 50

const ofBoard = ({ team_id, project_id }: Board) =>
  and(eq(customFields.team_id, team_id), eq(customFields.project_id, project_id))

export const fieldsOf = (tx: Tx, board: Board): Promise<CustomField[]> =>
  tx
    .select()
    .from(customFields)
    .where(ofBoard(board))
    .orderBy(asc(customFields.name), asc(customFields.custom_field_id))

const anyOf = prepared((tx) =>
  tx
    .select({ team_id: customFields.team_id })
    .from(customFields)
    .where(eq(customFields.team_id, param('team_id')))
    .limit(1)
    .prepare('custom_fields_any'),
)

/** Whether boards of these teams have any; most have none, and are asked for no values. */
export const fielded = recall<number, boolean>({
  key: (team_id) => team_id,
  from: [[customFields.team_id]],
  async load(tx, teams) {
    const found = new Map<number, boolean>()
    for (const team_id of teams)
      found.set(team_id, (await anyOf(tx).execute({ team_id })).length > 0)
    return found
  },
})

/** Fields by their numbers. */
export const fieldsById = recall<number, CustomField>({
  key: (custom_field_id) => custom_field_id,
  from: [[customFields.custom_field_id]],
  async load(tx, ids) {
    const rows = await tx
      .select()
      .from(customFields)
      .where(inArray(customFields.custom_field_id, [...ids]))
    return new Map(rows.map((row) => [row.custom_field_id, row]))
  },
})

/** The field of this board with that id or that name, or nothing. */
export async function namedField(
  { tx }: Pick<Context, 'tx'>,
  board: Board,
  { field_id, field_name }: { field_id?: string; field_name?: string },
): Promise<CustomField | undefined> {
  const known = await fieldsOf(tx, board)
  const byId = known.find((one) => one.field_id === field_id?.toLowerCase())
  if (field_id !== undefined && !byId) throw noField(known, field_id)
  if (field_name === undefined) return byId
  const byName = known.find((one) => one.folded === folded(field_name))
  if (byId && byId !== byName)
    throw fault.invalid(
      'field_name',
      'conflict',
      'field_id and field_name name different fields',
      field_name,
      'Give one of them',
    )
  return byName
}

export async function findField(ctx: Context, board: Board, field_id: string) {
  return (await namedField(ctx, board, { field_id }))!
}

/** Held until the transaction ends, so that nobody takes away what is about to be used. */
export async function holdField(tx: Tx, { custom_field_id, field_id }: CustomField) {
  const one = eq(customFields.custom_field_id, custom_field_id)
  const [field] = await held(tx.select().from(customFields).where(one))
  if (!field) throw noField([], field_id)
  return field
}

function noField(known: readonly CustomField[], field_id: string) {
  const names = known.map(({ name, field_id }) => `${name} (${field_id})`).slice(0, 10)
  return fault.notFound(
    'field_id',
    'This board has no such custom field',
    field_id,
    names.length ? `It has ${names.join(', ')}` : 'List them: svc_custom_fields list',
  )
}

/** A name that no other field of the board has. */
export function freeName(known: readonly CustomField[], given: string, own?: CustomField): string {
  const name = nameOf('name', given)
  const same = known.find((one) => one.folded === folded(name))
  if (!same || same.custom_field_id === own?.custom_field_id) return name
  throw fault.conflict(
    `This board already has a field "${same.name}"`,
    { field: 'name', value: name, field_id: same.field_id },
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
  const name = freeName(known, draft.name)
  if (known.length >= MOST_FIELDS)
    throw fault.conflict(
      `A board has at most ${MOST_FIELDS} custom fields`,
      { field: 'name', limit: MOST_FIELDS },
      'Delete one that is no longer used',
    )
  const [field] = await tx
    .insert(customFields)
    .values({
      ...{ team_id, project_id, name, folded: folded(name), type: draft.type },
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

export const shownField = (row: CustomField): FieldRow => ({
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
