import { and, count, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { getTableConfig as ofPostgres, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import { getTableConfig as ofSqlite } from 'drizzle-orm/sqlite-core'
import type { Tx } from '../kernel/caller.ts'
import { dialect } from './columns.ts'

const ROWS = 500

export type Row = Record<string, unknown>

/** Every row of a table, or those that fit, in the order of its key, some at a time however many there are. */
export async function* walk(tx: Tx, table: PgTable, only?: SQL): AsyncGenerator<Row[]> {
  const key = keyOf(table)
  const names = new Map(Object.entries(getTableColumns(table)).map(([name, one]) => [one, name]))
  let after: SQL | undefined
  for (;;) {
    const rows: Row[] = await tx
      .select()
      .from(table)
      .where(and(only, after))
      .orderBy(...key)
      .limit(ROWS)
    if (rows.length) yield rows
    const last = rows.at(-1)
    if (!last || rows.length < ROWS) return
    const values = key.map((column) => sql.param(last[names.get(column)!], column))
    after = sql`(${sql.join(key, sql`, `)}) > (${sql.join(values, sql`, `)})`
  }
}

export async function rowsIn(tx: Tx, table: PgTable, only?: SQL): Promise<number> {
  const [row] = await tx.select({ rows: count() }).from(table).where(only)
  return Number(row!.rows)
}

export const nameOf = (table: PgTable): string => configOf(table).name

/** The columns of its primary key. */
export function keyOf(table: PgTable): PgColumn[] {
  const { columns, primaryKeys } = configOf(table)
  return primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
}

interface Shape {
  name: string
  columns: PgColumn[]
  primaryKeys: { columns: PgColumn[] }[]
}

/** Each engine's tables are read by its own half of Drizzle. */
const configOf = (table: PgTable): Shape =>
  dialect === 'postgres' ? ofPostgres(table) : (ofSqlite(table as never) as unknown as Shape)
