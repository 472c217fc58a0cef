import { count, type SQL, sql } from 'drizzle-orm'
import type { PgColumn as Column, PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '../kernel/caller.ts'
import { digest } from '../kernel/dispatch.ts'
import { type Cursor, encodeCursor, type PageInfo, type Paging } from '../kernel/list.ts'
import { prepared } from './prepared.ts'

/** Totals are exact up to this number, so that no page pays for a full count. */
export const MAX_COUNT = 10_000

/** The rows of a list and how they are counted. */
export interface ListQuery {
  /** Part of the digest, so that a cursor of another list is rejected. */
  name: string
  from: PgTable
  where: SQL | undefined
  /** Breaks ties, so that no row is skipped or repeated. */
  id: string
  /**
   * Identifies a `where` that differs only in `params`, so that its statements are prepared once
   * per connection. Without it, the statements are built for each call.
   */
  statementName?: string
  params?: Record<string, unknown>
  /** Replaces counting if the number of rows is known otherwise. */
  total?: (() => Promise<number>) | undefined
}

export type Statement = {
  execute(values: Record<string, unknown>): Promise<Record<string, unknown>[]>
}

/** Digest of the filters and the order. A cursor is valid only for the same digest. */
export function digestFor(input: Paging, ...order: string[]): string {
  const { cursor: _, limit: __, offset: ___, fields: ____, ...filters } = input
  const sorting = { sort: undefined, sort_by: undefined, sort_order: undefined }
  return digest(...order, { ...filters, ...sorting }).slice(0, 12)
}

interface PageOptions {
  queryDigest: string
  limit: number
  /** Set if fewer rows than `limit` fit into one response. */
  maxRows?: number
  /** Number of rows before these. */
  offset: number
  cursorValue(row: Record<string, unknown>): Cursor['value']
}

/** Builds a page from its rows plus one more, which shows whether there is a next page. */
export async function paginate(
  tx: Tx,
  query: ListQuery,
  fetched: readonly Record<string, unknown>[],
  { queryDigest, limit, maxRows = limit, offset, cursorValue }: PageOptions,
): Promise<{ rows: Record<string, unknown>[]; page: PageInfo }> {
  const pageSize = Math.min(limit, maxRows)
  const hasMore = fetched.length > pageSize
  const rows = fetched.slice(0, pageSize)
  const last = rows.at(-1)
  const total =
    hasMore || (offset > 0 && !rows.length)
      ? await (query.total ?? (() => countTotal(tx, query)))()
      : offset + rows.length
  const rowsBefore = offset + rows.length
  const next = hasMore &&
    last && {
      digest: queryDigest,
      value: cursorValue(last),
      id: last[query.id] as number,
      rowsBefore,
    }
  const page: PageInfo = {
    total: total > MAX_COUNT ? null : total,
    ...(total > MAX_COUNT && { total_at_least: MAX_COUNT }),
    limit,
    offset,
    next_cursor: next ? encodeCursor(next) : null,
    has_more: hasMore,
  }
  return { rows, page }
}

/** Removes the values that were selected only for sorting and sizing. */
export function pickColumns<R>(rows: readonly Record<string, unknown>[], columns: object): R[] {
  const names = Object.keys(columns)
  return rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])) as R)
}

/** Limit for all texts in one response, in bytes of UTF-8. */
const MAX_BYTES = 1_048_576

/** The size of a stored text; the engines know it without reading the text. */
export const byteLength = (text: Column) => sql<number>`octet_length(${text})`.mapWith(Number)

/** The number of rows whose texts fit into one response; at least one. */
export function countThatFits(sizes: readonly number[]): number {
  let bytes = 0
  const index = sizes.findIndex((size) => {
    bytes += size
    return bytes > MAX_BYTES
  })
  return index < 0 ? sizes.length : Math.max(1, index)
}

const statementCache = prepared((_: Tx) => new Map<string, Statement>())

async function countTotal(tx: Tx, query: ListQuery): Promise<number> {
  const { name, statementName, from, where, params = {} } = query
  const key = statementName ? `${name}_${statementName}_count` : ''
  const known = statementCache(tx).get(key)
  const statement = known ?? prepareCount(tx, from, where, key)
  if (statementName && !known) statementCache(tx).set(key, statement)
  const [row] = await statement.execute(params)
  return Number(row?.total ?? 0)
}

function prepareCount(tx: Tx, from: PgTable, where: SQL | undefined, name: string): Statement {
  const limited = tx
    .select({ one: sql`1`.as('one') })
    .from(from)
    .where(where)
    .limit(MAX_COUNT + 1)
    .as('some')
  return tx.select({ total: count() }).from(limited).prepare(name)
}
