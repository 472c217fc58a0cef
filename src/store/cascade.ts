import { and, eq, getTableColumns, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '../kernel/caller.ts'
import { isOneOf } from './id-list.ts'
import { declaredTables } from './portability/tables.ts'
import { primaryKeyOf, referencesOf } from './scan.ts'

/**
 * Deletes rows of a team by their ids, and every row that refers to them, also through others. It
 * follows the foreign keys of all tables, so that a new table needs no code here. References that
 * may be null are cleared instead.
 */
export async function deleteCascading(
  tx: Tx,
  team_id: number,
  key: PgColumn,
  ids: readonly number[],
): Promise<void> {
  if (!ids.length) return
  for (const reference of referencesTo(key))
    await deleteReferring(tx, team_id, reference, isOneOf(reference, ids))
  // Without the team, because SQLite would choose its index and visit all rows of the team.
  await tx.delete(key.table as PgTable).where(isOneOf(key, ids))
}

async function deleteReferring(tx: Tx, team_id: number, reference: PgColumn, isReferring: SQL) {
  const table = reference.table as PgTable
  const where = inTeam(reference, team_id, isReferring)
  if (!reference.notNull) {
    await tx
      .update(table)
      .set({ [propertyOf(reference)]: null })
      .where(where)
    return
  }
  const [key] = primaryKeyOf(table)
  if (!key || !referencesTo(key).length) return void (await tx.delete(table).where(where))
  const rows = await tx.select({ id: key }).from(table).where(where)
  const ids = rows.map(({ id }) => Number(id))
  await deleteCascading(tx, team_id, key, ids)
}

/** Most indexes begin with the team. */
function inTeam({ table }: PgColumn, team_id: number, condition: SQL): SQL | undefined {
  const { team_id: team } = getTableColumns(table as PgTable)
  return team ? and(eq(team, team_id), condition) : condition
}

const propertyOf = (column: PgColumn): string =>
  Object.entries(getTableColumns(column.table as PgTable)).find(([, other]) => other === column)![0]

/** The columns of all tables that refer to this one. */
const referencesTo = (key: PgColumn): PgColumn[] =>
  declaredTables().flatMap((table) =>
    referencesOf(table).flatMap(({ columns, foreignColumns }) =>
      foreignColumns.includes(key) ? columns[foreignColumns.indexOf(key)]! : [],
    ),
  )
