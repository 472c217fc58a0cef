import { and, eq, inArray, min, type SQL, sql } from 'drizzle-orm'
import type { PgColumn as Column } from 'drizzle-orm/pg-core'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { type Direction, type Paging, SORTS } from '../../../../kernel/list.ts'
import { closestWord } from '../../../../kernel/validate.ts'
import type { SortKey } from '../../../../store/multi-sort.ts'
import { type CustomField, taskFields } from '../../../boards/custom_fields/model/index.ts'
import { sections } from '../../../boards/sections/model/index.ts'
import { actors } from '../../../identity/people/model/index.ts'
import { taskAssignees } from '../../../tasks/assignees/model/index.ts'
import { type FieldMode, fieldsWith } from '../../../tasks/fields/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import { bareName, customFieldNames, findCustomFields, hasPrefix, valueIn } from './custom.ts'
import { type Scope, scopeOf } from './scope.ts'

/** The modes of the fields that `fields.ts` declares. */
const sortableFields = fieldsWith('sort')
const fieldModes = sortableFields.map(({ value }) => value.mode as FieldMode)

export const SORTING_MODES = [
  'Manual',
  ...fieldModes,
  'DueDate',
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
export const MAX_MODES = 5

/** A mode or `cf:` with a custom field, and a direction. */
export interface Sorting {
  mode: string
  order: 'Ascending' | 'Descending'
}

type SortPart = Omit<SortKey, 'direction'>
/** Sort keys of texts are cut to this length, which also limits the size of cursors. */
const MAX_SORT_CHARACTERS = 60

/** Sorts text without regard to case. */
const alphabetic = (text: Column | SQL, sqlType: Column, nullable?: true): SortPart => ({
  key: sql`substr(lower(${text}), 1, ${sql.raw(String(MAX_SORT_CHARACTERS))})`,
  valueColumn: sqlType,
  ...(nullable && { nullable }),
})

const columnPart = (column: Column): SortPart => ({
  key: column,
  valueColumn: column,
  ...(!column.notNull && { nullable: true }),
})

/** Zero means no value. */
const gradePart = (column: Column): SortPart => ({
  key: sql`nullif(${column}, 0)`,
  valueColumn: column,
  nullable: true,
})

/** Sorts by elapsed time: the shortest time is the latest moment, so the direction is reversed. */
const elapsedPart = (part: SortPart): SortPart & { backward: true } => ({ ...part, backward: true })

type SortParts = (SortPart & { backward?: true })[]

const lastActivity: SortPart = {
  key: sql`coalesce(${tasks.last_comment_at}, ${tasks.created_at})`,
  valueColumn: tasks.last_comment_at,
}

/** Numbers are never null: 0 means no value. */
const fieldParts = Object.fromEntries(
  sortableFields.map(({ name, value }) => {
    const column = tasks[name]
    return [value.mode, () => [column.notNull ? gradePart(column) : columnPart(column)]]
  }),
) as unknown as Record<FieldMode, () => SortParts>

const modes: Record<SortingMode, (ctx: Context) => SortParts> = {
  Manual: ({ tx }) => {
    const sectionRank = tx
      .select({ rank: sections.rank })
      .from(sections)
      .where(eq(sections.section_id, tasks.section_id))
    return [
      { key: sql`${sectionRank}`, valueColumn: sections.rank },
      columnPart(tasks.section_id),
      columnPart(tasks.rank),
    ]
  },
  ...fieldParts,
  DueDate: () => [columnPart(tasks.due_at)],
  CreatedAt: () => [columnPart(tasks.created_at)],
  UpdatedAt: () => [columnPart(tasks.updated_at)],
  SectionChangedAt: () => [columnPart(tasks.section_changed_at)],
  LastCommentAt: () => [columnPart(tasks.last_comment_at)],
  Assignee: ({ tx }) => {
    const firstName = tx
      .select({ name: min(sql`lower(${actors.name})`) })
      .from(taskAssignees)
      .innerJoin(actors, eq(actors.actor_id, taskAssignees.actor_id))
      .where(
        and(eq(taskAssignees.team_id, tasks.team_id), eq(taskAssignees.task_id, tasks.task_id)),
      )
    return [alphabetic(sql`${firstName}`, actors.name, true)]
  },
  Title: () => [alphabetic(tasks.title, tasks.title)],
  TicketNumber: () => [columnPart(tasks.unique_index)],
  TimeInColumn: () => [elapsedPart(columnPart(tasks.section_changed_at))],
  TimeOnBoard: () => [elapsedPart(columnPart(tasks.created_at))],
  TimeWithoutComment: () => [elapsedPart(lastActivity)],
}

/** Refuses an unknown mode and suggests the nearest one. */
export async function checkMode(ctx: Context, scope: Scope, mode: string, field: string) {
  if (!Object.hasOwn(modes, mode)) await checkCustom(ctx, scope, mode, field, SORTING_MODES)
}

async function checkCustom(
  ctx: Context,
  scope: Scope,
  mode: string,
  field: string,
  builtIn: readonly string[],
) {
  if (hasPrefix(mode) && (await findCustomFields(ctx, scope, mode)).length) return
  const customModes = (await customFieldNames(ctx, scope)).map((name) => `cf:${name}`)
  const known = [...builtIn, ...customModes]
  const suggestion = closestWord(mode, known)
  throw fault.invalid(
    field,
    'out_of_range',
    `${field} is not a sort mode of these tasks: ${mode.slice(0, 100)}`,
    mode,
    suggestion ? `Did you mean ${suggestion}?` : `Available: ${known.join(', ')}`,
  )
}

/** The sort keys if a list is sorted by a custom field; undefined otherwise. */
export async function customSort(
  ctx: Context,
  { sort, sort_by, sort_order, project_id }: Paging & { project_id?: number },
): Promise<SortKey[] | undefined> {
  if (sort === undefined || !hasPrefix(sort)) return undefined
  const [, mode = '', direction] = /^(.*?)(?::(asc|desc))?$/s.exec(sort)!
  if (sort_by !== undefined || (direction && sort_order && direction !== sort_order))
    throw fault.invalid('sort', 'conflict', 'sort and sort_by/sort_order disagree', sort)
  const scope = await scopeOf(ctx, project_id)
  await checkCustom(ctx, scope, mode, 'sort', Object.keys(SORTS))
  const order = (direction ?? sort_order) === 'desc' ? 'Descending' : 'Ascending'
  return sortKeysOf(ctx, scope, [{ mode, order }])
}

/** The sort keys of a sorting stack. A deleted custom field is skipped with a warning. */
export async function sortKeysOf(
  ctx: Context,
  scope: Scope,
  stack: readonly Sorting[],
  field = 'sorting_stack',
): Promise<SortKey[]> {
  const keys: SortKey[] = []
  for (const [at, { mode, order }] of stack.entries()) {
    const sortParts = await sortPartsOf(ctx, scope, mode)
    if (!sortParts.length)
      ctx.warn(
        `${field}.${at}`,
        'not_found',
        `The custom field ${bareName(mode).slice(0, 100)} was deleted; it is ignored in sorting`,
      )
    const [forward, reverse]: [Direction, Direction] =
      order === 'Ascending' ? ['asc', 'desc'] : ['desc', 'asc']
    keys.push(
      ...sortParts.map(({ backward, ...part }) => ({
        ...part,
        direction: backward ? reverse : forward,
      })),
    )
  }
  return keys
}

async function sortPartsOf(ctx: Context, scope: Scope, mode: string): Promise<SortParts> {
  if (Object.hasOwn(modes, mode)) return modes[mode as SortingMode](ctx)
  const fields = await findCustomFields(ctx, scope, mode)
  return fields.length ? [customPart(ctx, fields)] : []
}

/** If several boards have a field of this name, those with the type of the first one count. */
function customPart({ tx }: Context, fields: readonly CustomField[]): SortPart {
  const { type } = fields[0]!
  const sameType = fields.filter((field) => field.type === type)
  const value = valueIn(type)
  const ids = sameType.map(({ custom_field_id }) => custom_field_id)
  const ownValue = tx
    .select({ value: min(value) })
    .from(taskFields)
    .where(
      and(
        eq(taskFields.team_id, tasks.team_id),
        eq(taskFields.task_id, tasks.task_id),
        inArray(taskFields.custom_field_id, ids),
      ),
    )
  if (type === 'select') return optionPart(sql`${ownValue}`, sameType)
  if (type === 'text' || type === 'url') return alphabetic(sql`${ownValue}`, value, true)
  return { key: sql`${ownValue}`, valueColumn: value, nullable: true }
}

/** Sorts options in the order defined on their board. */
function optionPart(value: SQL, fields: readonly CustomField[]): SortPart {
  const optionsInOrder = fields.flatMap(({ options }) => options ?? []).entries()
  const cases = [...optionsInOrder].map(
    ([at, { option_id }]) => sql`when ${option_id} then ${sql.raw(`${at}`)}`,
  )
  const key = cases.length ? sql`case ${value} ${sql.join(cases, sql` `)} end` : sql`null`
  return { key, valueColumn: tasks.unique_index, nullable: true }
}
