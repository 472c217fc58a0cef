import { and, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { PgColumn as Column, PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '../kernel/caller.ts'

/**
 * Groups of rows, where an index has the rows of each group in order but none has all of them in
 * order, such as the tasks of several boards. Merging the groups costs what their number is,
 * however many rows they hold.
 */
export interface Split {
  groups: PgTable
  where: SQL | undefined
  /** Identifies a group. */
  columns: Record<string, Column>
  /** The rows of the group that the query is at. */
  of: SQL
  /** The rows of one group. */
  within(group: Record<string, unknown>): SQL
}

interface Wanted {
  from: PgTable
  id: Column
  key: Column | SQL
  where: SQL | undefined
  toward(column: Column | SQL): SQL
  rows: number
  values: Record<string, unknown>
}

/** Above this a statement with a part for each group costs more than it saves. */
const MOST_GROUPS = 200

/**
 * A condition for the first rows of all groups together; undefined where too many groups are
 * concerned. A group can only contribute when its own first row is among those rows, so no more
 * groups are read than there are rows wanted, but for those whose first rows are equal.
 */
export async function firstOfAll(tx: Tx, split: Split, wanted: Wanted): Promise<SQL | undefined> {
  const { from, id, key, where, toward, rows, values } = wanted
  const order = [toward(key), toward(id)]
  const first = tx
    .select({ key: sql`${key}` })
    .from(from)
    .where(and(split.of, where))
    .orderBy(...order)
    .limit(1)
  const best = sql`${first}`.as('best')
  const groups = await tx
    .select({ ...split.columns, best })
    .from(split.groups)
    .where(and(split.where, isNotNull(first)))
    .orderBy(toward(sql`best`))
    .prepare('')
    .execute(values)
  const last = groups[rows - 1]?.best
  const chosen = groups.filter((group, at) => at < rows || group.best === last)
  if (chosen.length > MOST_GROUPS) return undefined
  const parts = chosen.map((group, at) => {
    const ids = tx
      .select({ id })
      .from(from)
      .where(and(split.within(group), where))
      .orderBy(...order)
      .limit(rows)
    return sql`select * from ${ids} ${sql.raw(`part${at}`)}`
  })
  return parts.length ? sql`${id} in (${sql.join(parts, sql` union all `)})` : sql`false`
}
