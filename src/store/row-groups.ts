import { and, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { PgColumn as Column, PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '../kernel/caller.ts'
import { dialect } from './columns.ts'
import { isOneOf } from './id-list.ts'

/**
 * Groups of rows such as the tasks of several boards: an index orders the rows within each group,
 * but none orders the rows of all groups. The cost of merging depends on the number of groups, not
 * on the number of rows in them.
 */
export interface RowGroups {
  groups: PgTable
  where: SQL | undefined
  /** The id of a group. */
  id: Column
  /** Correlates rows with the group of the outer query. */
  correlation: SQL
}

interface FirstRowsQuery {
  from: PgTable
  id: Column
  key: Column | SQL
  where: SQL | undefined
  ordered(column: Column | SQL): SQL
  limit: number
  values: Record<string, unknown>
}

/**
 * Selects the first `limit` rows of all groups together. Only the `limit` groups with the best first
 * rows can have such a row. Groups that tie with the last of them are read as well.
 */
export async function firstRowsOfGroups(
  tx: Tx,
  rowGroups: RowGroups,
  query: FirstRowsQuery,
): Promise<SQL> {
  const { from, id, key, where, ordered, limit, values } = query
  const firstRows = (columns: Record<string, Column | SQL>, most: number) =>
    tx
      .select(columns as { id: Column })
      .from(from)
      .where(and(rowGroups.correlation, where))
      .orderBy(ordered(key), ordered(id))
      .limit(most)
  const firstKey = firstRows({ key: sql`${key}` }, 1)
  const groups = await tx
    .select({ id: rowGroups.id, best: sql`${firstKey}`.as('best') })
    .from(rowGroups.groups)
    .where(and(rowGroups.where, isNotNull(firstKey)))
    .orderBy(ordered(sql`best`))
    .prepare('')
    .execute(values)
  const lastKey = groups[limit - 1]?.best
  const candidates = groups.filter((group, index) => index < limit || group.best === lastKey)
  const ids = candidates.map((group) => group.id as number)
  const rows = valuesOf(sql`${firstRows({ id }, limit)}`, id)
  return sql`${id} in (select value from ${rowGroups.groups}, ${rows} where ${isOneOf(rowGroups.id, ids)})`
}

/** The values of a column of a subquery that is run for each row of the tables before it. */
const valuesOf = (subquery: SQL, { name }: Column): SQL =>
  dialect === 'postgres'
    ? sql`lateral ${subquery} as first_rows (value)`
    : sql`json_each((select json_group_array(${sql.identifier(name)}) from ${subquery}))`
