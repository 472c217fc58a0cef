import { and, gt, lt, type SQL, sql } from 'drizzle-orm'
import type { PgColumn as Column } from 'drizzle-orm/pg-core'
import type { Context, Tx } from '../kernel/caller.ts'
import {
  DEFAULT_ROWS,
  type Direction,
  decodeCursor,
  orderOf,
  type PageInfo,
  type Paging,
  type SortBy,
} from '../kernel/list.ts'
import { type CursorValue, decodeCursorValue, encodeCursorValue } from './cursor.ts'
import {
  byteLength,
  countThatFits,
  digestFor,
  type ListQuery,
  paginate,
  pickColumns,
  type Statement,
} from './paginate.ts'
import { param, prepared } from './prepared.ts'
import { optimizeStatement } from './prepared-sqlite.ts'
import { firstRowsOfGroups, type RowGroups } from './row-groups.ts'

/**
 * A sort order. In `emptyLast`, `none` selects the rows without a sort value, which come last, and
 * `some` the others, both written so that an index can be used.
 */
export interface Sort {
  key: Column | SQL
  emptyLast?: Record<'none' | 'some', SQL>
  /** The column that the values of an expression come from; it encodes and decodes them. */
  valueColumn?: Column
}

const valueColumnOf = ({ key, valueColumn }: Sort) => valueColumn ?? (key as Column)

export interface PageQuery<C extends Record<string, Column>> extends ListQuery {
  columns: C
  /** The first is the default, unless there is a `manualSort`. */
  sorts: Partial<Record<SortBy, Sort>>
  /** The order that people give the rows by hand; the default if set. */
  manualSort?: Sort
  /** Groups that are merged because no index has all rows in order. */
  rowGroups?: RowGroups
  /** A text of each row that may be large: a page ends before its texts exceed the limit. */
  largeText?: Column
}

export type Row<C extends Record<string, Column>> = {
  [K in keyof C]: C[K]['_']['notNull'] extends true ? C[K]['_']['data'] : C[K]['_']['data'] | null
}

/** One page, with keyset paging: the thousandth page costs as much as the first. */
export async function pageOf<C extends Record<string, Column>>(
  tx: Tx,
  input: Paging,
  query: PageQuery<C>,
): Promise<{ rows: Row<C>[]; page: PageInfo }> {
  const [sortName, direction] = sortOf(input, query)
  const { cursor, limit = DEFAULT_ROWS, offset = 0 } = input
  const queryDigest = digestFor(input, query.name, sortName, direction)
  const cursorRow = cursor === undefined ? undefined : decodeCursor(cursor, queryDigest)
  const sort = (sortName === 'natural' ? query.manualSort : query.sorts[sortName]) as Sort
  const scan = {
    tx,
    query,
    sort,
    sortName,
    direction,
    id: query.columns[query.id] as Column,
  }
  const fetched = cursorRow
    ? await rowsAfter(
        scan,
        decodeCursorValue(cursorRow.value, valueColumnOf(sort)),
        cursorRow.id,
        limit + 1,
      )
    : await firstRows(scan, offset, limit + 1)
  const maxRows = query.largeText && countThatFits(fetched.map(({ bytes }) => Number(bytes)))
  const { rows, page } = await paginate(tx, query, fetched, {
    queryDigest,
    limit,
    ...(maxRows && { maxRows }),
    offset: cursorRow?.rowsBefore ?? offset,
    cursorValue: (row) => encodeCursorValue(row.sorted_by),
  })
  return { rows: pickColumns<Row<C>>(rows, query.columns), page }
}

/** Adds a warning if a page has fewer rows than requested because of the size of their texts. */
export function warnIfShortened<P extends { items: unknown[]; page: PageInfo }>(
  { warn }: Pick<Context, 'warn'>,
  found: P,
): P {
  const { length } = found.items
  const { has_more, limit } = found.page
  const message = `Only ${length} rows fit into one response; follow next_cursor for more`
  if (has_more && length < limit) warn('limit', 'too_long', message)
  return found
}

type SortOptions = Pick<PageQuery<Record<string, Column>>, 'sorts' | 'manualSort'>

function sortOf(
  input: Paging,
  { sorts, manualSort }: SortOptions,
): [SortBy | 'natural', Direction] {
  if (manualSort && input.sort === undefined && input.sort_by === undefined)
    return ['natural', input.sort_order ?? 'asc']
  return orderOf(input, Object.keys(sorts) as SortBy[])
}

interface PageScan {
  tx: Tx
  query: PageQuery<Record<string, Column>>
  sort: Sort
  sortName: string
  direction: Direction
  id: Column
}

interface ScanStep {
  /** Distinguishes this query from the others of its scan. */
  name: string
  where?: SQL
  order?: SQL[]
  /** These rows have no sort value and are sorted by id. */
  unsorted?: true
  rows: number
  skip?: number
  after?: { sortValue: unknown; id: number }
}

const statementCache = prepared((_: Tx) => new Map<string, Statement>())

async function runStep(scan: PageScan, { rows, skip = 0, after: from, ...step }: ScanStep) {
  const { query, sortName, direction } = scan
  const values = { ...query.params, rows, skip, mark: from?.sortValue, after: from?.id }
  if (!query.statementName) {
    const groupsCondition = step.order
      ? undefined
      : await conditionForGroups(scan, step, rows + skip, values)
    const narrowed = groupsCondition
      ? { ...scan, query: { ...query, where: groupsCondition } }
      : scan
    return prepareStep(narrowed, groupsCondition ? {} : step, '').execute(values)
  }
  const name = [query.name, query.statementName, sortName, direction, step.name].join('_')
  const known = statementCache(scan.tx).get(name)
  if (known) return known.execute(values)
  const statement = prepareStep(scan, step, name)
  statementCache(scan.tx).set(name, statement)
  return statement.execute(values)
}

async function conditionForGroups(
  { tx, query, sort, direction, id }: PageScan,
  { where, unsorted }: Pick<ScanStep, 'where' | 'unsorted'>,
  rows: number,
  values: Record<string, unknown>,
) {
  const { rowGroups, from } = query
  if (!rowGroups) return undefined
  const key = unsorted ? id : sort.key
  return firstRowsOfGroups(tx, rowGroups, {
    from,
    id,
    key,
    where,
    ordered: inDirection(direction),
    limit: rows,
    values,
  })
}

const inDirection = (direction: Direction) => (column: Column | SQL) =>
  direction === 'asc' ? sql`${column} asc` : sql`${column} desc`

function prepareStep(
  { tx, query, sort, direction, id }: PageScan,
  { where, order = [] }: Pick<ScanStep, 'where' | 'order'>,
  name: string,
): Statement {
  return optimizeStatement(
    tx
      .select({
        ...query.columns,
        sorted_by: sortedBy(sort),
        ...(query.largeText && { bytes: byteLength(query.largeText) }),
      })
      .from(query.from)
      .where(and(query.where, where))
      .orderBy(...order, inDirection(direction)(sort.key), inDirection(direction)(id))
      .limit(param('rows'))
      .offset(param('skip'))
      .prepare(name) as unknown as Statement,
    name ? tx : undefined,
  )
}

function sortedBy(sort: Sort) {
  const { key, emptyLast } = sort
  const value = emptyLast ? sql`case when ${emptyLast.none} then null else ${key} end` : sql`${key}`
  return value.mapWith(valueColumnOf(sort))
}

/** Rows with and without a sort value are two index scans; a single query would sort all rows. */
async function firstRows(scan: PageScan, skip: number, rows: number) {
  const { emptyLast } = scan.sort
  if (!emptyLast) return runStep(scan, { name: 'first', rows, skip })
  const order = [sql`case when ${emptyLast.none} then 1 else 0 end`]
  if (skip) return runStep(scan, { name: 'skip', order, rows, skip })
  return withRest(scan, rows, await runStep(scan, { name: 'sorted', where: emptyLast.some, rows }))
}

async function rowsAfter(scan: PageScan, value: CursorValue, id: number, rows: number) {
  const beyond = scan.direction === 'asc' ? gt : lt
  const { emptyLast } = scan.sort
  const from = { sortValue: value, id }
  const afterTie = beyond(scan.id, param('after'))
  if (value === null)
    return runStep(scan, {
      name: 'rest_after',
      where: and(emptyLast?.none, afterTie),
      unsorted: true,
      rows,
      after: from,
    })
  const key = sql`${scan.sort.key}`
  const mark = sql.param(param('mark'), valueColumnOf(scan.sort))
  // A row comparison can seek in the index; an `or` of two conditions would scan it.
  const next = beyond(sql`(${key}, ${scan.id})`, sql`(${mark}, ${param('after')})`)
  const where = and(emptyLast?.some, next)
  const found = await runStep(scan, { name: 'after', where, rows, after: from })
  return emptyLast ? withRest(scan, rows, found) : found
}

/** Fills the page with rows that have no sort value. */
async function withRest<T>(scan: PageScan, rows: number, found: T[]) {
  if (found.length === rows) return found
  const rest = await runStep(scan, {
    name: 'rest',
    where: scan.sort.emptyLast?.none,
    unsorted: true,
    rows: rows - found.length,
  })
  return [...found, ...rest]
}
