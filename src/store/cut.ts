import { count, type SQL, sql } from 'drizzle-orm'
import type { PgColumn as Column, PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '../kernel/caller.ts'
import { digest } from '../kernel/dispatch.ts'
import { type Cursor, encodeCursor, type PageInfo, type Paging } from '../kernel/list.ts'
import { prepared } from './prepared.ts'

const COUNTED = 10_000

/** What is listed, and how many rows of it there are. */
export interface Listed {
  /** A cursor of another list is refused. */
  name: string
  from: PgTable
  where: SQL | undefined
  /** Breaks ties, so that no row is skipped or repeated. */
  id: string
  /**
   * Names a `where` that is always the same but for `params`, so that its statements are built
   * once for a connection. Lists with any filter the caller likes are built anew each time.
   */
  shape?: string
  params?: Record<string, unknown>
  /** Where it is known how many rows there are, nobody need count them. */
  total?: (() => Promise<number>) | undefined
}

export type Statement = {
  execute(values: Record<string, unknown>): Promise<Record<string, unknown>[]>
}

/** What a cursor is made for; the page that it leads to is only found where all of it agrees. */
export function madeFor(input: Paging, ...order: string[]): string {
  const { cursor: _, limit: __, offset: ___, fields: ____, ...filters } = input
  const sorting = { sort: undefined, sort_by: undefined, sort_order: undefined }
  return digest(...order, { ...filters, ...sorting }).slice(0, 12)
}

interface Cut {
  made: string
  limit: number
  /** Fewer rows than `limit`, where more do not fit into one response. */
  fits?: number
  /** Rows that were given before these. */
  before: number
  mark(row: Record<string, unknown>): Cursor['value']
}

/** Of one row more than the page has, the page, and where the next one begins. */
export async function cut(
  tx: Tx,
  wanted: Listed,
  found: readonly Record<string, unknown>[],
  { made, limit, fits = limit, before, mark }: Cut,
): Promise<{ rows: Record<string, unknown>[]; page: PageInfo }> {
  const most = Math.min(limit, fits)
  const more = found.length > most
  const rows = found.slice(0, most)
  const last = rows.at(-1)
  const total =
    more || (before > 0 && !rows.length)
      ? await (wanted.total ?? (() => counted(tx, wanted)))()
      : before + rows.length
  const seen = before + rows.length
  const next = more &&
    last && { digest: made, value: mark(last), id: last[wanted.id] as number, seen }
  const page: PageInfo = {
    total: total > COUNTED ? null : total,
    ...(total > COUNTED && { total_at_least: COUNTED }),
    limit,
    offset: before,
    next_cursor: next ? encodeCursor(next) : null,
    has_more: more,
  }
  return { rows, page }
}

/** Rows with the columns of a list alone, without the values that were selected to sort and size them. */
export function onlyColumns<R>(rows: readonly Record<string, unknown>[], columns: object): R[] {
  const names = Object.keys(columns)
  return rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])) as R)
}

/** Of all texts in one response, in bytes of UTF-8. */
const MOST_BYTES = 1_048_576

/** The size of a stored text, which no engine has to read the text for. */
export const bytesOf = (text: Column) => sql<number>`octet_length(${text})`.mapWith(Number)

/** How many of these rows fit into one response by the size of their texts; the first always does. */
export function fitting(sizes: readonly number[]): number {
  let bytes = 0
  const at = sizes.findIndex((size) => {
    bytes += size
    return bytes > MOST_BYTES
  })
  return at < 0 ? sizes.length : Math.max(1, at)
}

const kept = prepared((_: Tx) => new Map<string, Statement>())

async function counted(tx: Tx, wanted: Listed): Promise<number> {
  const { name, shape, from, where, params = {} } = wanted
  const key = shape ? `${name}_${shape}_count` : ''
  const known = kept(tx).get(key)
  const statement = known ?? countOf(tx, from, where, key)
  if (shape && !known) kept(tx).set(key, statement)
  const [row] = await statement.execute(params)
  return Number(row?.total ?? 0)
}

function countOf(tx: Tx, from: PgTable, where: SQL | undefined, name: string): Statement {
  const some = tx
    .select({ one: sql`1`.as('one') })
    .from(from)
    .where(where)
    .limit(COUNTED + 1)
    .as('some')
  return tx.select({ total: count() }).from(some).prepare(name)
}
