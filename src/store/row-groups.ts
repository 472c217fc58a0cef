import { and, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { PgColumn as Column, PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '../kernel/caller.ts'

/**
 * Groups of rows such as the tasks of several boards: an index orders the rows within each group,
 * but none orders the rows of all groups. The cost of merging depends on the number of groups, not
 * on the number of rows in them.
 */
export interface RowGroups {
  groups: PgTable
  where: SQL | undefined
  /** Identifies a group. */
  columns: Record<string, Column>
  /** Correlates rows with the group of the outer query. */
  correlation: SQL
  /** Selects the rows of one group. */
  conditionFor(group: Record<string, unknown>): SQL
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

/** With more groups, a statement with a part per group costs more than it saves. */
const MAX_GROUPS = 200

/**
 * A condition for the first `limit` rows over all groups; undefined if too many groups contribute.
 * A group contributes only if its own first row is among these rows, so at most `limit` groups are
 * read, plus groups whose first rows have the same sort value as the last of them.
 */
export async function firstRowsOfGroups(
  tx: Tx,
  rowGroups: RowGroups,
  query: FirstRowsQuery,
): Promise<SQL | undefined> {
  const { from, id, key, where, ordered, limit, values } = query
  const order = [ordered(key), ordered(id)]
  const firstKey = tx
    .select({ key: sql`${key}` })
    .from(from)
    .where(and(rowGroups.correlation, where))
    .orderBy(...order)
    .limit(1)
  const best = sql`${firstKey}`.as('best')
  const groups = await tx
    .select({ ...rowGroups.columns, best })
    .from(rowGroups.groups)
    .where(and(rowGroups.where, isNotNull(firstKey)))
    .orderBy(ordered(sql`best`))
    .prepare('')
    .execute(values)
  const lastKey = groups[limit - 1]?.best
  const candidates = groups.filter((group, index) => index < limit || group.best === lastKey)
  if (candidates.length > MAX_GROUPS) return undefined
  const parts = candidates.map((group, index) => {
    const ids = tx
      .select({ id })
      .from(from)
      .where(and(rowGroups.conditionFor(group), where))
      .orderBy(...order)
      .limit(limit)
    return sql`select * from ${ids} ${sql.raw(`part${index}`)}`
  })
  return parts.length ? sql`${id} in (${sql.join(parts, sql` union all `)})` : sql`false`
}
