import { and, count, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { type PgColumn, type PgTable, getTableConfig as postgresConfig } from 'drizzle-orm/pg-core'
import { getTableConfig as sqliteConfig } from 'drizzle-orm/sqlite-core'
import type { Tx } from '../kernel/caller.ts'
import { dialect } from './columns.ts'

const BATCH_ROWS = 500

export type Row = Record<string, unknown>

/** Yields the rows of a table, optionally filtered, in batches in the order of the primary key. */
export async function* scanTable(tx: Tx, table: PgTable, filter?: SQL): AsyncGenerator<Row[]> {
  const key = primaryKeyOf(table)
  const names = new Map(
    Object.entries(getTableColumns(table)).map(([name, column]) => [column, name]),
  )
  let after: SQL | undefined
  for (;;) {
    const rows: Row[] = await tx
      .select()
      .from(table)
      .where(and(filter, after))
      .orderBy(...key)
      .limit(BATCH_ROWS)
    if (rows.length) yield rows
    const last = rows.at(-1)
    if (!last || rows.length < BATCH_ROWS) return
    const values = key.map((column) => sql.param(last[names.get(column)!], column))
    after = sql`(${sql.join(key, sql`, `)}) > (${sql.join(values, sql`, `)})`
  }
}

export async function countRows(tx: Tx, table: PgTable, filter?: SQL): Promise<number> {
  const [row] = await tx.select({ rows: count() }).from(table).where(filter)
  return Number(row!.rows)
}

export const tableName = (table: PgTable): string => tableConfig(table).name

/** The columns of its primary key. */
export function primaryKeyOf(table: PgTable): PgColumn[] {
  const { columns, primaryKeys } = tableConfig(table)
  return primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
}

interface Reference {
  columns: PgColumn[]
  foreignTable: PgTable
  foreignColumns: PgColumn[]
}

/** The columns of a table that refer to another one, and that table. */
export const referencesOf = (table: PgTable): Reference[] =>
  tableConfig(table).foreignKeys.map((key) => key.reference())

interface TableConfig {
  name: string
  columns: PgColumn[]
  foreignKeys: { reference(): Reference }[]
  primaryKeys: { columns: PgColumn[] }[]
}

/** Drizzle has a separate function for the tables of each engine. */
const tableConfig = (table: PgTable): TableConfig =>
  dialect === 'postgres'
    ? postgresConfig(table)
    : (sqliteConfig(table as never) as unknown as TableConfig)
