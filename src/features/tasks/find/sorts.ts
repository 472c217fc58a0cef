import { and, eq, inArray, min, type SQL, sql } from 'drizzle-orm'
import type { PgColumn as Column } from 'drizzle-orm/pg-core'
import type { Context } from '../../../kernel/caller.ts'
import { fault } from '../../../kernel/fault.ts'
import { type Paging, SORTS, type Direction as Way } from '../../../kernel/list.ts'
import { nearest } from '../../../kernel/validate.ts'
import type { Key } from '../../../store/stack.ts'
import type { CustomField } from '../../custom_fields/index.ts'
import { actors } from '../../people/index.ts'
import { sections } from '../../sections/index.ts'
import { taskAssignees, taskFields, tasks } from '../tables.ts'
import { bareName, customNamed, customNames, isMarked, valueIn } from './custom.ts'
import { type Scope, scopeOf } from './scope.ts'

export const SORTING_MODES = [
  'Manual',
  'Priority',
  'DueDate',
  'Size',
  'CreatedAt',
  'UpdatedAt',
  'SectionChangedAt',
  'LastCommentAt',
  'Assignee',
  'Title',
  'TicketNumber',
  'TimeInColumn',
  'TimeOnBoard',
  'TimeWithoutComment',
] as const
type SortingMode = (typeof SORTING_MODES)[number]
export const MOST_MODES = 5

/** A mode, or `cf:` and a custom field; and which way. */
export interface Sorting {
  mode: string
  order: 'Ascending' | 'Descending'
}

type Part = Omit<Key, 'way'>
/** Of several values the earliest in the alphabet; a cursor carries no more of a text than this. */
const MOST_LETTERS = 60

/** Letters of either case stand together, as people look for them. */
const alphabetic = (text: Column | SQL, like: Column, nullable?: true): Part => ({
  key: sql`substr(lower(${text}), 1, ${sql.raw(String(MOST_LETTERS))})`,
  like,
  ...(nullable && { nullable }),
})

const plain = (column: Column): Part => ({
  key: column,
  like: column,
  ...(!column.notNull && { nullable: true }),
})

/** Nought stands for having none. */
const graded = (column: Column): Part => ({
  key: sql`nullif(${column}, 0)`,
  like: column,
  nullable: true,
})

/** How long ago something was: the shortest time first is the latest first. */
const since = (part: Part): Part & { backward: true } => ({ ...part, backward: true })

type Parts = (Part & { backward?: true })[]

const talked: Part = {
  key: sql`coalesce(${tasks.last_comment_at}, ${tasks.created_at})`,
  like: tasks.last_comment_at,
}

const modes: Record<SortingMode, (ctx: Context) => Parts> = {
  Manual: ({ tx }) => {
    const place = tx
      .select({ rank: sections.rank })
      .from(sections)
      .where(eq(sections.section_id, tasks.section_id))
    return [{ key: sql`${place}`, like: sections.rank }, plain(tasks.section_id), plain(tasks.rank)]
  },
  Priority: () => [graded(tasks.priority)],
  DueDate: () => [plain(tasks.due_at)],
  Size: () => [graded(tasks.estimate)],
  CreatedAt: () => [plain(tasks.created_at)],
  UpdatedAt: () => [plain(tasks.updated_at)],
  SectionChangedAt: () => [plain(tasks.section_changed_at)],
  LastCommentAt: () => [plain(tasks.last_comment_at)],
  Assignee: ({ tx }) => {
    const first = tx
      .select({ name: min(sql`lower(${actors.name})`) })
      .from(taskAssignees)
      .innerJoin(actors, eq(actors.actor_id, taskAssignees.actor_id))
      .where(
        and(eq(taskAssignees.team_id, tasks.team_id), eq(taskAssignees.task_id, tasks.task_id)),
      )
    return [alphabetic(sql`${first}`, actors.name, true)]
  },
  Title: () => [alphabetic(tasks.title, tasks.title)],
  TicketNumber: () => [plain(tasks.unique_index)],
  TimeInColumn: () => [since(plain(tasks.section_changed_at))],
  TimeOnBoard: () => [since(plain(tasks.created_at))],
  TimeWithoutComment: () => [since(talked)],
}

/** Refuses a mode that does not exist, and names the nearest. */
export async function checkMode(ctx: Context, scope: Scope, mode: string, named: string) {
  if (!Object.hasOwn(modes, mode)) await checkCustom(ctx, scope, mode, named, SORTING_MODES)
}

async function checkCustom(
  ctx: Context,
  scope: Scope,
  mode: string,
  named: string,
  others: readonly string[],
) {
  if (isMarked(mode) && (await customNamed(ctx, scope, mode)).length) return
  const customs = (await customNames(ctx, scope)).map((name) => `cf:${name}`)
  const known = [...others, ...customs]
  const near = nearest(mode, known)
  throw fault.invalid(
    named,
    'out_of_range',
    `${named} is no way to sort these tasks: ${mode.slice(0, 100)}`,
    mode,
    near ? `Did you mean ${near}?` : `There are ${known.join(', ')}`,
  )
}

/** Sorting a list by a custom field; nothing where it is sorted by what every task has. */
export async function customSort(
  ctx: Context,
  { sort, sort_by, sort_order, project_id }: Paging & { project_id?: number },
): Promise<Key[] | undefined> {
  if (sort === undefined || !isMarked(sort)) return undefined
  const [, mode = '', way] = /^(.*?)(?::(asc|desc))?$/s.exec(sort)!
  if (sort_by !== undefined || (way && sort_order && way !== sort_order))
    throw fault.invalid('sort', 'conflict', 'sort and sort_by/sort_order disagree', sort)
  const scope = await scopeOf(ctx, project_id)
  await checkCustom(ctx, scope, mode, 'sort', Object.keys(SORTS))
  const order = (way ?? sort_order) === 'desc' ? 'Descending' : 'Ascending'
  return keysOf(ctx, scope, [{ mode, order }])
}

/** What a stack sorts by, in order. A custom field that is gone sorts nothing, and is warned of. */
export async function keysOf(
  ctx: Context,
  scope: Scope,
  stack: readonly Sorting[],
  named = 'sorting_stack',
): Promise<Key[]> {
  const keys: Key[] = []
  for (const [at, { mode, order }] of stack.entries()) {
    const parts = await partsOf(ctx, scope, mode)
    if (!parts.length)
      ctx.warn(
        `${named}.${at}`,
        'not_found',
        `The custom field ${bareName(mode).slice(0, 100)} is gone; it sorts nothing`,
      )
    const [to, back]: [Way, Way] = order === 'Ascending' ? ['asc', 'desc'] : ['desc', 'asc']
    keys.push(...parts.map(({ backward, ...part }) => ({ ...part, way: backward ? back : to })))
  }
  return keys
}

async function partsOf(ctx: Context, scope: Scope, mode: string): Promise<Parts> {
  if (Object.hasOwn(modes, mode)) return modes[mode as SortingMode](ctx)
  const fields = await customNamed(ctx, scope, mode)
  return fields.length ? [customPart(ctx, fields)] : []
}

/** Of several boards' fields with one name those count that hold what the first one does. */
function customPart({ tx }: Context, fields: readonly CustomField[]): Part {
  const { type } = fields[0]!
  const alike = fields.filter((field) => field.type === type)
  const value = valueIn(type)
  const ids = alike.map(({ custom_field_id }) => custom_field_id)
  const mine = tx
    .select({ value: min(value) })
    .from(taskFields)
    .where(
      and(
        eq(taskFields.team_id, tasks.team_id),
        eq(taskFields.task_id, tasks.task_id),
        inArray(taskFields.custom_field_id, ids),
      ),
    )
  if (type === 'select') return optionPart(sql`${mine}`, alike)
  if (type === 'text' || type === 'url') return alphabetic(sql`${mine}`, value, true)
  return { key: sql`${mine}`, like: value, nullable: true }
}

/** Options in the order that their board gave them. */
function optionPart(value: SQL, fields: readonly CustomField[]): Part {
  const places = fields.flatMap(({ options }) => options ?? []).entries()
  const cases = [...places].map(
    ([at, { option_id }]) => sql`when ${option_id} then ${sql.raw(`${at}`)}`,
  )
  const key = cases.length ? sql`case ${value} ${sql.join(cases, sql` `)} end` : sql`null`
  return { key, like: tasks.unique_index, nullable: true }
}
