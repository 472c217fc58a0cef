import {
  type Static,
  type TOptional,
  type TProperties,
  type TSchema,
  type TUnsafe,
  Type as t,
} from '@sinclair/typebox'
import { fault } from './fault.ts'
import { nearest } from './validate.ts'

export const MOST_ROWS = 50
export const ROWS = 20

/** Each way to sort, with the direction a reader expects first. */
export const SORTS = {
  createdAt: 'desc',
  updatedAt: 'desc',
  dueDate: 'asc',
  priority: 'asc',
  title: 'asc',
  lastUsedAt: 'desc',
} as const
export type SortBy = keyof typeof SORTS
export type Direction = 'asc' | 'desc'

const text = (description: string) => t.Optional(t.String({ maxLength: 2000, description }))
const paging = {
  cursor: text('next_cursor of the page before; keep the same filters'),
  fields: t.Optional(
    t.Union(
      [t.String({ maxLength: 2000 }), t.Array(t.String({ maxLength: 100 }), { maxItems: 100 })],
      {
        description: 'Only these fields, as a comma list or an array',
      },
    ),
  ),
  limit: t.Optional(t.Integer({ minimum: 1, description: 'Rows; default 20, at most 50' })),
  offset: t.Optional(t.Integer({ minimum: 0, maximum: 1e9, description: 'Rows to skip' })),
  query: text('Free text'),
  search: text('Free text'),
}
export type Paging = Static<ReturnType<typeof listing<Record<never, never>>>>

const literals = <T extends string>(values: readonly T[], about: object = {}) =>
  t.Optional(
    t.Unsafe<T>(
      t.Union(
        values.map((value) => t.Literal(value)),
        about,
      ),
    ),
  )

interface Sorting extends TProperties {
  sort: TOptional<TUnsafe<string>>
  sort_by: TOptional<TUnsafe<SortBy>>
  sort_order: TOptional<TUnsafe<Direction>>
}

/** A list that has only an order of its own can at most be turned round. */
function sorting(names: readonly SortBy[]): Sorting {
  const sort_order = literals<Direction>(['asc', 'desc'])
  if (!names.length) return { sort_order } as Sorting
  const ways = names.flatMap((name) => [name, `${name}:asc`, `${name}:desc`])
  const description = 'field, field:asc or field:desc'
  return { sort: literals(ways, { description }), sort_by: literals(names), sort_order }
}

/**
 * The input of a list: its own filters, what every list understands, and the names that it can be
 * sorted by, with the default first.
 */
export const listing = <F extends TProperties>(filters: F, sorts: readonly SortBy[] = []) =>
  t.Object({ ...paging, ...sorting(sorts), ...filters })

export const PageInfo = t.Object({
  total: t.Union([t.Integer(), t.Null()]),
  total_at_least: t.Optional(t.Integer()),
  limit: t.Integer(),
  offset: t.Integer(),
  next_cursor: t.Union([t.String(), t.Null()]),
  has_more: t.Boolean(),
})
export type PageInfo = Static<typeof PageInfo>

/**
 * The response of a list. `omits` on an item's schema names what its concise form leaves out, `columns`
 * what a table in a terminal shows.
 */
export const listOf = <T extends TSchema>(item: T) =>
  t.Object({ items: t.Array(item), page: PageInfo }, { list: true })

/** The one order that `sort`, `sort_by` and `sort_order` ask for together. */
export function orderOf(input: Paging, known: readonly SortBy[]): [SortBy, Direction] {
  const [name, way] = input.sort?.split(':') ?? []
  const by = (name ?? input.sort_by ?? known[0]) as SortBy
  if (!known.includes(by)) {
    const field = name === undefined ? 'sort_by' : 'sort'
    throw fault.invalid(field, 'out_of_range', `${field} must be one of ${known.join(', ')}`, by)
  }
  if (way !== undefined && way !== 'asc' && way !== 'desc')
    throw fault.invalid('sort', 'out_of_range', 'sort must end in :asc or :desc', input.sort)
  if (
    (name && input.sort_by && name !== input.sort_by) ||
    (way && input.sort_order && way !== input.sort_order)
  )
    throw fault.invalid('sort', 'conflict', 'sort and sort_by/sort_order disagree', input.sort)
  return [by, way ?? input.sort_order ?? SORTS[by]]
}

type SortValue = string | number | null

/** Where the next page begins: the sort value and id of the last row given. */
export interface Cursor {
  digest: string
  /** Several where rows are sorted by several things. */
  value: SortValue | SortValue[]
  id: number
  seen: number
}

export const encodeCursor = ({ digest, value, id, seen }: Cursor) =>
  Buffer.from(JSON.stringify([digest, value, id, seen])).toString('base64url')

export function decodeCursor(cursor: string, digest: string): Cursor {
  const [made, value, id, seen] = parts(cursor)
  if (typeof made !== 'string' || ![value].flat().every(isValue) || !isRow(id) || !isRow(seen))
    throw fault.invalid('cursor', 'invalid_format', 'cursor is not one that a list gave', cursor)
  if (made !== digest)
    throw fault.invalid(
      'cursor',
      'conflict',
      'cursor was made for other filters or another sort',
      cursor,
      'Keep filters and sort as they were, or leave the cursor out to begin again',
    )
  return { digest, value: value as Cursor['value'], id: id as number, seen: seen as number }
}

const isValue = (value: unknown) =>
  value === null || typeof value === 'string' || typeof value === 'number'

/** The number of a row, or of rows; small enough for every engine. */
const isRow = (number: unknown) => Number.isInteger(number) && Math.abs(number as number) < 2 ** 31

function parts(cursor: string): unknown[] {
  try {
    const read = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(read) ? read : []
  } catch {
    return []
  }
}

/** `labels.name` is that field of each label; `actor.name` leaves the actor that field alone. */
export function pick(record: Record<string, unknown>, fields: readonly string[]) {
  const picked: Record<string, unknown> = {}
  for (const field of fields) {
    const [name = '', inner] = field.split('.')
    const value = record[name]
    if (value === undefined) continue
    picked[name] = inner ? partOf(value, inner, picked[name]) : value
  }
  return picked
}

function partOf(value: unknown, inner: string, before: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => entry[inner])
  if (typeof value !== 'object' || value === null) return value
  return { ...(before as object | undefined), [inner]: (value as Record<string, unknown>)[inner] }
}

export function fieldsOf(input: Paging, item: TSchema): string[] | undefined {
  if (input.fields === undefined) return undefined
  const fields =
    typeof input.fields === 'string' ? input.fields.split(',').map((f) => f.trim()) : input.fields
  const known = Object.keys(item.properties)
  for (const field of fields)
    if (!known.includes(field))
      throw fault.invalid(
        'fields',
        'unknown_field',
        `${field} is not a field of these records`,
        field,
        `Did you mean ${nearest(field, known) ?? known.join(', ')}?`,
      )
  return [...fields, ...known.filter((name) => item.properties[name].always)]
}
