import { and, asc, eq, gt, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn as Column } from 'drizzle-orm/pg-core'
import type { Tx } from '../kernel/caller.ts'
import { type Direction, decodeCursor, type PageInfo, type Paging, ROWS } from '../kernel/list.ts'
import { cut, type Listed, madeFor, onlyColumns } from './cut.ts'
import { type Mark, pack, unpack } from './mark.ts'
import type { Row } from './page.ts'

/** One of several things to sort by. Rows without a value come last, whichever way. */
export interface Key {
  key: Column | SQL
  /** The column whose values the key yields. */
  like: Column
  way: Direction
  nullable?: true
}

interface Stacked<C extends Record<string, Column>>
  extends Pick<Listed, 'name' | 'from' | 'where' | 'id' | 'total'> {
  columns: C
  keys: readonly Key[]
}

/**
 * One page of rows sorted by several keys, by keyset as well. No index serves any such order, so
 * a page costs a look at every row that is listed.
 */
export async function stackedPage<C extends Record<string, Column>>(
  tx: Tx,
  input: Paging,
  wanted: Stacked<C>,
): Promise<{ rows: Row<C>[]; page: PageInfo }> {
  const { keys, columns, from, where } = wanted
  const { cursor, limit = ROWS, offset = 0 } = input
  const made = madeFor(input, wanted.name, keys.map(({ way }) => way).join())
  const after = cursor === undefined ? undefined : decodeCursor(cursor, made)
  const id = columns[wanted.id] as Column
  const marks = keys.map(({ key, like }, at) => [markAt(at), sql`${key}`.mapWith(like)] as const)
  const found = await tx
    .select({ ...columns, ...Object.fromEntries(marks) } as Record<string, Column>)
    .from(from)
    .where(and(where, after && beyondRow(keys, after.value, id, after.id)))
    .orderBy(...stacked(keys, id))
    .limit(limit + 1)
    .offset(after ? 0 : offset)
  const { rows, page } = await cut(tx, wanted, found, {
    ...{ made, limit, before: after?.seen ?? offset },
    mark: (row) => keys.map((_, at) => pack(row[markAt(at)])),
  })
  return { rows: onlyColumns<Row<C>>(rows, columns), page }
}

/** Rows in the order of several keys, and of their number where those are alike. */
export const stacked = (keys: readonly Key[], id: Column): SQL[] => [
  ...keys.flatMap(ordered),
  asc(id),
]

/** What comes after the row that a cursor tells of. */
export const beyondRow = (keys: readonly Key[], value: unknown, id: Column, last: number): SQL =>
  beyond(keys, unpackAll(value, keys), id, last)

const markAt = (at: number) => `sorted_by_${at}`

function ordered({ key, way, nullable }: Key): SQL[] {
  const last = sql`case when ${key} is null then 1 else 0 end`
  return [...(nullable ? [last] : []), way === 'asc' ? sql`${key} asc` : sql`${key} desc`]
}

/** What comes after a row: beyond its first mark, or level with it and beyond the rest. */
function beyond(keys: readonly Key[], marks: readonly Mark[], id: Column, last: number): SQL {
  const [first, ...others] = keys
  if (!first) return gt(id, last)
  const [mark, ...rest] = marks
  const later = beyond(others, rest, id, last)
  const key = sql`${first.key}`
  if (mark === null || mark === undefined) return and(isNull(key), later)!
  const value = sql.param(mark, first.like)
  const next = first.way === 'asc' ? gt(key, value) : lt(key, value)
  return or(next, and(eq(key, value), later), first.nullable && isNull(key))!
}

/** As many marks as there are keys, each one that its column could have given. */
function unpackAll(value: unknown, keys: readonly Key[]): Mark[] {
  const marks = Array.isArray(value) ? value : []
  return keys.map(({ like }, at) => unpack(marks[at], like))
}
