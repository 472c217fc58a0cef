import {
  type Static,
  type TOptional,
  type TProperties,
  type TSchema,
  type TUnsafe,
  Type as t,
} from '@sinclair/typebox'
import { fault } from './fault.ts'
import { closestWord } from './validate.ts'

export const MAX_ROWS = 50
export const DEFAULT_ROWS = 20

/** Each sort key with its default direction. */
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

const optionalText = (description: string) => t.Optional(t.String({ maxLength: 2000, description }))
const paging = {
  cursor: optionalText('next_cursor of the previous page; keep the same filters'),
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
  query: optionalText('Free text'),
  search: optionalText('Free text'),
}
export type Paging = Static<ReturnType<typeof listInput<Record<never, never>>>>

const optionalLiterals = <T extends string>(values: readonly T[], options: object = {}) =>
  t.Optional(
    t.Unsafe<T>(
      t.Union(
        values.map((value) => t.Literal(value)),
        options,
      ),
    ),
  )

interface Sorting extends TProperties {
  sort: TOptional<TUnsafe<string>>
  sort_by: TOptional<TUnsafe<SortBy>>
  sort_order: TOptional<TUnsafe<Direction>>
}

/** A list without sort keys has one fixed order, which can only be reversed. */
function sortingInput(names: readonly SortBy[]): Sorting {
  const sort_order = optionalLiterals<Direction>(['asc', 'desc'])
  if (!names.length) return { sort_order } as Sorting
  const sortValues = names.flatMap((name) => [name, `${name}:asc`, `${name}:desc`])
  const description = 'field, field:asc or field:desc'
  return {
    sort: optionalLiterals(sortValues, { description }),
    sort_by: optionalLiterals(names),
    sort_order,
  }
}

/**
 * The input of a list: its own filters, the paging fields of every list, and its sort keys, the
 * default first.
 */
export const listInput = <F extends TProperties>(filters: F, sorts: readonly SortBy[] = []) =>
  t.Object({ ...paging, ...sortingInput(sorts), ...filters })

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
 * The response of a list. On the item's schema, `omits` names the fields that the concise form
 * leaves out, `columns` those that a table in a terminal shows.
 */
export const listOf = <T extends TSchema>(item: T) =>
  t.Object({ items: t.Array(item), page: PageInfo }, { list: true })

/** The order that `sort`, `sort_by` and `sort_order` request together. */
export function orderOf(input: Paging, allowed: readonly SortBy[]): [SortBy, Direction] {
  const [name, direction] = input.sort?.split(':') ?? []
  const by = (name ?? input.sort_by ?? allowed[0]) as SortBy
  if (!allowed.includes(by)) {
    const field = name === undefined ? 'sort_by' : 'sort'
    throw fault.invalid(field, 'out_of_range', `${field} must be one of ${allowed.join(', ')}`, by)
  }
  if (direction !== undefined && direction !== 'asc' && direction !== 'desc')
    throw fault.invalid('sort', 'out_of_range', 'sort must end in :asc or :desc', input.sort)
  if (
    (name && input.sort_by && name !== input.sort_by) ||
    (direction && input.sort_order && direction !== input.sort_order)
  )
    throw fault.invalid('sort', 'conflict', 'sort and sort_by/sort_order disagree', input.sort)
  return [by, direction ?? input.sort_order ?? SORTS[by]]
}

type SortValue = string | number | null

/** Where the next page begins: the sort value and id of the last row of this page. */
export interface Cursor {
  digest: string
  /** An array if rows are sorted by several keys. */
  value: SortValue | SortValue[]
  id: number
  rowsBefore: number
}

export const encodeCursor = ({ digest, value, id, rowsBefore }: Cursor) =>
  Buffer.from(JSON.stringify([digest, value, id, rowsBefore])).toString('base64url')

/** Whether a cursor belongs to the query with this digest. */
export const isCursorOf = (cursor: string | undefined, digest: string): boolean =>
  cursor !== undefined && cursorParts(cursor)[0] === digest

export function decodeCursor(cursor: string, digest: string): Cursor {
  const [cursorDigest, value, id, rowsBefore] = cursorParts(cursor)
  if (
    typeof cursorDigest !== 'string' ||
    ![value].flat().every(isValue) ||
    !isRowNumber(id) ||
    !isRowNumber(rowsBefore)
  )
    throw fault.invalid(
      'cursor',
      'invalid_format',
      'cursor must be the next_cursor of a list',
      cursor,
    )
  if (cursorDigest !== digest)
    throw fault.invalid(
      'cursor',
      'conflict',
      'cursor belongs to other filters or another sort',
      cursor,
      'Use the same filters and sort, or omit cursor to start again',
    )
  return {
    digest,
    value: value as Cursor['value'],
    id: id as number,
    rowsBefore: rowsBefore as number,
  }
}

const isValue = (value: unknown) =>
  value === null || typeof value === 'string' || typeof value === 'number'

/** Whether this is a row id or a row count that every engine accepts. */
const isRowNumber = (number: unknown) =>
  Number.isInteger(number) && Math.abs(number as number) < 2 ** 31

function cursorParts(cursor: string): unknown[] {
  try {
    const parsed = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}

/** `labels.name` picks that field of each label; `actor.name` reduces `actor` to that field. */
export function pick(record: Record<string, unknown>, fields: readonly string[]) {
  const picked: Record<string, unknown> = {}
  for (const field of fields) {
    const [name = '', inner] = field.split('.')
    const value = record[name]
    if (value === undefined) continue
    picked[name] = inner ? pickInner(value, inner, picked[name]) : value
  }
  return picked
}

function pickInner(value: unknown, inner: string, before: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => entry[inner])
  if (typeof value !== 'object' || value === null) return value
  return { ...(before as object | undefined), [inner]: (value as Record<string, unknown>)[inner] }
}

export function requestedFields(input: Paging, item: TSchema): string[] | undefined {
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
        `Did you mean ${closestWord(field, known) ?? known.join(', ')}?`,
      )
  return [...fields, ...known.filter((name) => item.properties[name].always)]
}
