import { and, asc, eq, gt, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn as Column } from 'drizzle-orm/pg-core'
import type { Tx } from '../kernel/caller.ts'
import {
  DEFAULT_ROWS,
  type Direction,
  decodeCursor,
  type PageInfo,
  type Paging,
} from '../kernel/list.ts'
import { type CursorValue, decodeCursorValue, encodeCursorValue } from './cursor.ts'
import type { Row } from './page.ts'
import { digestFor, type ListQuery, paginate, pickColumns } from './paginate.ts'

/** One of several sort keys. Rows without a value come last in both directions. */
export interface SortKey {
  key: Column | SQL
  /** The column that the key's values come from; it encodes and decodes them. */
  valueColumn: Column
  direction: Direction
  nullable?: true
}

interface MultiSortQuery<C extends Record<string, Column>>
  extends Pick<ListQuery, 'name' | 'from' | 'where' | 'id' | 'total'> {
  columns: C
  keys: readonly SortKey[]
  /** The whole list, split by the values of its first keys, in the order of these values. */
  blocks?: readonly Block[] | undefined
}

/** The rows whose first keys have these values. */
export interface Block {
  values: readonly CursorValue[]
  where: SQL
}

/**
 * One page of rows sorted by several keys, with keyset paging. No index has such an order, so each
 * page reads all rows of the list, or with `blocks` only rows of the blocks that it shows.
 */
export async function multiSortPage<C extends Record<string, Column>>(
  tx: Tx,
  input: Paging,
  query: MultiSortQuery<C>,
): Promise<{ rows: Row<C>[]; page: PageInfo }> {
  const { keys, columns } = query
  const { cursor, limit = DEFAULT_ROWS, offset = 0 } = input
  const queryDigest = digestFor(input, query.name, keys.map(({ direction }) => direction).join())
  const after = cursor === undefined ? undefined : decodeCursor(cursor, queryDigest)
  const id = columns[query.id] as Column
  const sortColumns = keys.map(
    ({ key, valueColumn }, index) =>
      [sortColumnName(index), sql`${key}`.mapWith(valueColumn)] as const,
  )
  const selected = { ...columns, ...Object.fromEntries(sortColumns) } as Record<string, Column>
  const position = after && { values: decodeSortValues(after.value, keys), id: after.id }
  const fetched: Record<string, unknown>[] = []
  for (const scan of scansOf(query, id, position, offset)) {
    const remaining = limit + 1 - fetched.length
    if (remaining < 1) break
    const rows = tx.select(selected).from(query.from).where(and(query.where, scan.where))
    const sorted = rows.orderBy(...multiSortOrder(scan.keys, id)).limit(remaining)
    fetched.push(...(await sorted.offset(after ? 0 : offset)))
  }
  const { rows, page } = await paginate(tx, query, fetched, {
    queryDigest,
    limit,
    offset: after?.rowsBefore ?? offset,
    cursorValue: (row) => keys.map((_, index) => encodeCursorValue(row[sortColumnName(index)])),
  })
  return { rows: pickColumns<Row<C>>(rows, columns), page }
}

interface Position {
  values: readonly CursorValue[]
  id: number
}

/** The queries of a page, one after the other: of each block, or one of the whole list. */
function scansOf(
  { keys, blocks }: Pick<MultiSortQuery<never>, 'keys' | 'blocks'>,
  id: Column,
  after: Position | undefined,
  offset: number,
): { where: SQL | undefined; keys: readonly SortKey[] }[] {
  const first = after ? blocks?.findIndex((block) => holds(block, after)) : 0
  // The block of the cursor may be gone, and no block knows its number of rows.
  if (!blocks || first === -1 || (offset && !after))
    return [{ where: after && afterRow(keys, after.values, id, after.id), keys }]
  return blocks.slice(first).map(({ values, where }, index) => {
    const lastKeys = keys.slice(values.length)
    const lastValues = index === 0 && after?.values.slice(values.length)
    return {
      where: lastValues ? and(where, afterRow(lastKeys, lastValues, id, after!.id)) : where,
      keys: lastKeys,
    }
  })
}

const holds = ({ values }: Block, row: Position) =>
  values.every((value, index) => value === row.values[index])

/** Sorts by several keys; ties are sorted by id. */
export const multiSortOrder = (keys: readonly SortKey[], id: Column): SQL[] => [
  ...keys.flatMap(orderByKey),
  asc(id),
]

/** Selects the rows after the one that a cursor describes. */
export const afterCursor = (
  keys: readonly SortKey[],
  value: unknown,
  id: Column,
  lastId: number,
): SQL => afterRow(keys, decodeSortValues(value, keys), id, lastId)

const sortColumnName = (index: number) => `sorted_by_${index}`

function orderByKey({ key, direction, nullable }: SortKey): SQL[] {
  const nullsLast = sql`case when ${key} is null then 1 else 0 end`
  return [
    ...(nullable ? [nullsLast] : []),
    direction === 'asc' ? sql`${key} asc` : sql`${key} desc`,
  ]
}

/** Rows after `values`: past the first value, or equal to it and past the remaining ones. */
function afterRow(
  keys: readonly SortKey[],
  values: readonly CursorValue[],
  id: Column,
  lastId: number,
): SQL {
  const [first, ...others] = keys
  if (!first) return gt(id, lastId)
  const [sortValue, ...rest] = values
  const afterTie = afterRow(others, rest, id, lastId)
  const key = sql`${first.key}`
  if (sortValue === null || sortValue === undefined) return and(isNull(key), afterTie)!
  const value = sql.param(sortValue, first.valueColumn)
  const next = first.direction === 'asc' ? gt(key, value) : lt(key, value)
  return or(next, and(eq(key, value), afterTie), first.nullable && isNull(key))!
}

/** Decodes one value per key; throws for a value that its column cannot hold. */
function decodeSortValues(value: unknown, keys: readonly SortKey[]): CursorValue[] {
  const encoded = Array.isArray(value) ? value : []
  return keys.map(({ valueColumn }, index) => decodeCursorValue(encoded[index], valueColumn))
}
