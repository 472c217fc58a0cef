import { and, gt, lt, type SQL, sql } from 'drizzle-orm'
import type { PgColumn as Column } from 'drizzle-orm/pg-core'
import type { Context, Tx } from '../kernel/caller.ts'
import {
  type Direction,
  decodeCursor,
  orderOf,
  type PageInfo,
  type Paging,
  ROWS,
  type SortBy,
} from '../kernel/list.ts'
import { bytesOf, cut, fitting, type Listed, madeFor, onlyColumns, type Statement } from './cut.ts'
import { type Mark, pack, unpack } from './mark.ts'
import { param, prepared } from './prepared.ts'
import { quicken } from './quick.ts'
import { firstOfAll, type Split } from './split.ts'

/**
 * A way to sort. Rows without a value to sort by, `none`, come at the end; `some` are the others,
 * said in a way that an index understands.
 */
export interface Sort {
  key: Column | SQL
  last?: Record<'none' | 'some', SQL>
  /** The column whose values an expression yields. */
  like?: Column
}

const columnOf = ({ key, like }: Sort) => like ?? (key as Column)

export interface Wanted<C extends Record<string, Column>> extends Listed {
  columns: C
  /** The first one is used when the caller names none and the rows have no order of their own. */
  sorts: Partial<Record<SortBy, Sort>>
  /** The order that people gave the rows by hand. */
  natural?: Sort
  /** How the first rows are found where no index has all of them in order. */
  split?: Split
  /** A text that is shown with each row: a page ends where more texts would not fit into it. */
  sized?: Column
}

export type Row<C extends Record<string, Column>> = {
  [K in keyof C]: C[K]['_']['notNull'] extends true ? C[K]['_']['data'] : C[K]['_']['data'] | null
}

/** One page by keyset: reading the thousandth page costs what the first one does. */
export async function pageOf<C extends Record<string, Column>>(
  tx: Tx,
  input: Paging,
  wanted: Wanted<C>,
): Promise<{ rows: Row<C>[]; page: PageInfo }> {
  const [by, way] = wayOf(input, wanted)
  const { cursor, limit = ROWS, offset = 0 } = input
  const made = madeFor(input, wanted.name, by, way)
  const from = cursor === undefined ? undefined : decodeCursor(cursor, made)
  const sort = (by === 'natural' ? wanted.natural : wanted.sorts[by]) as Sort
  const walk = { tx, wanted, sort, by, way, id: wanted.columns[wanted.id] as Column }
  const found = from
    ? await after(walk, unpack(from.value, columnOf(sort)), from.id, limit + 1)
    : await first(walk, offset, limit + 1)
  const fits = wanted.sized && fitting(found.map(({ bytes }) => Number(bytes)))
  const { rows, page } = await cut(tx, wanted, found, {
    ...{ made, limit, ...(fits && { fits }), before: from?.seen ?? offset },
    mark: (row) => pack(row.sorted_by),
  })
  return { rows: onlyColumns<Row<C>>(rows, wanted.columns), page }
}

/** Warns where a page has fewer rows than were asked for, because more texts do not fit into it. */
export function complete<P extends { items: unknown[]; page: PageInfo }>(
  { warn }: Pick<Context, 'warn'>,
  found: P,
): P {
  const { length } = found.items
  const { has_more, limit } = found.page
  const message = `Only ${length} rows fit into one response; follow next_cursor for more`
  if (has_more && length < limit) warn('limit', 'too_long', message)
  return found
}

type Ordered = Pick<Wanted<Record<string, Column>>, 'sorts' | 'natural'>

function wayOf(input: Paging, { sorts, natural }: Ordered): [SortBy | 'natural', Direction] {
  if (natural && input.sort === undefined && input.sort_by === undefined)
    return ['natural', input.sort_order ?? 'asc']
  return orderOf(input, Object.keys(sorts) as SortBy[])
}

interface Walk {
  tx: Tx
  wanted: Wanted<Record<string, Column>>
  sort: Sort
  by: string
  way: Direction
  id: Column
}

interface Step {
  /** Tells this query from the others of its walk. */
  name: string
  where?: SQL
  order?: SQL[]
  /** Rows that have no value to sort by are in the order of their ids. */
  unsorted?: true
  rows: number
  skip?: number
  after?: { mark: unknown; id: number }
}

const kept = prepared((_: Tx) => new Map<string, Statement>())

async function select(walk: Walk, { rows, skip = 0, after: from, ...step }: Step) {
  const { wanted, by, way } = walk
  const values = { ...wanted.params, rows, skip, mark: from?.mark, after: from?.id }
  if (!wanted.shape) {
    const only = step.order ? undefined : await splitting(walk, step, rows + skip, values)
    const narrowed = only ? { ...walk, wanted: { ...wanted, where: only } } : walk
    return build(narrowed, only ? {} : step, '').execute(values)
  }
  const name = [wanted.name, wanted.shape, by, way, step.name].join('_')
  const known = kept(walk.tx).get(name)
  if (known) return known.execute(values)
  const statement = build(walk, step, name)
  kept(walk.tx).set(name, statement)
  return statement.execute(values)
}

async function splitting(
  { tx, wanted, sort, way, id }: Walk,
  { where, unsorted }: Pick<Step, 'where' | 'unsorted'>,
  rows: number,
  values: Record<string, unknown>,
) {
  const { split, from } = wanted
  if (!split) return undefined
  const key = unsorted ? id : sort.key
  return firstOfAll(tx, split, { from, id, key, where, toward: toward(way), rows, values })
}

const toward = (way: Direction) => (column: Column | SQL) =>
  way === 'asc' ? sql`${column} asc` : sql`${column} desc`

function build(
  { tx, wanted, sort, way, id }: Walk,
  { where, order = [] }: Pick<Step, 'where' | 'order'>,
  name: string,
): Statement {
  return quicken(
    tx
      .select({
        ...wanted.columns,
        sorted_by: sortedBy(sort),
        ...(wanted.sized && { bytes: bytesOf(wanted.sized) }),
      })
      .from(wanted.from)
      .where(and(wanted.where, where))
      .orderBy(...order, toward(way)(sort.key), toward(way)(id))
      .limit(param('rows'))
      .offset(param('skip'))
      .prepare(name) as unknown as Statement,
    name ? tx : undefined,
  )
}

function sortedBy(sort: Sort) {
  const { key, last } = sort
  const value = last ? sql`case when ${last.none} then null else ${key} end` : sql`${key}`
  return value.mapWith(columnOf(sort))
}

/** Sorted rows and the rest are two walks along an index each, where one query would sort them all. */
async function first(walk: Walk, skip: number, rows: number) {
  const { last } = walk.sort
  if (!last) return select(walk, { name: 'first', rows, skip })
  const order = [sql`case when ${last.none} then 1 else 0 end`]
  if (skip) return select(walk, { name: 'skip', order, rows, skip })
  return filled(walk, rows, await select(walk, { name: 'sorted', where: last.some, rows }))
}

async function after(walk: Walk, value: Mark, id: number, rows: number) {
  const beyond = walk.way === 'asc' ? gt : lt
  const { last } = walk.sort
  const from = { mark: value, id }
  const later = beyond(walk.id, param('after'))
  if (value === null)
    return select(walk, {
      ...{ name: 'rest_after', where: and(last?.none, later) },
      ...{ unsorted: true, rows, after: from },
    })
  const key = sql`${walk.sort.key}`
  const mark = sql.param(param('mark'), columnOf(walk.sort))
  // As one comparison of two pairs, which is a place in the index; an "or" would scan it.
  const next = beyond(sql`(${key}, ${walk.id})`, sql`(${mark}, ${param('after')})`)
  const where = and(last?.some, next)
  const found = await select(walk, { name: 'after', where, rows, after: from })
  return last ? filled(walk, rows, found) : found
}

/** What sorting by a value leaves room for comes from the rows that have none. */
async function filled<T>(walk: Walk, rows: number, found: T[]) {
  if (found.length === rows) return found
  const rest = await select(walk, {
    name: 'rest',
    where: walk.sort.last?.none,
    unsorted: true,
    rows: rows - found.length,
  })
  return [...found, ...rest]
}
