import { join } from 'node:path'
import { getTableColumns, getTableName, is, type SQL, sql, Table } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { agentPresence } from '../../src/features/agents/agents/model/index.ts'
import { fileUsage } from '../../src/features/tasks/files/model/index.ts'
import { onPostgres } from './postgres.ts'
import type { World } from './world.ts'

const root = join(import.meta.dir, '../../src')
const files = [...new Bun.Glob('{features,store}/**/tables.ts').scanSync({ cwd: root })]
const modules = await Promise.all(files.map((file) => import(join(root, file))))
export const tables = modules
  .flatMap((module) => Object.values(module))
  .filter((value) => is(value, Table)) as PgTable[]
/** Presence and file usage are excluded, because refused requests count too. */
const comparedTables = tables.filter((table) => table !== agentPresence && table !== fileUsage)

/** A row as text without last_used_at, which refused requests update too. */
function rowText(table: PgTable): SQL {
  if (onPostgres) return sql`(to_jsonb(${table}) - 'last_used_at')::text`
  const { last_used_at: _, ...columns } = getTableColumns(table)
  const texts = Object.values(columns).map((column) => sql`quote(${column})`)
  return sql.join(texts, sql` || ',' || `)
}

/** One query for all tables, because one for each takes twenty times as long. */
const allRows = sql.join(
  comparedTables.map(
    (table) => sql`select ${getTableName(table)} as name, ${rowText(table)} as row from ${table}`,
  ),
  sql` union all `,
)

/** The contents of the database as one text. Rows are sorted, because updates may move them. */
export const databaseContents = ({ store }: World): Promise<string> =>
  store.read(async (tx) => {
    const query = tx.select({ name: sql`name`, row: sql`row` }).from(sql`(${allRows}) as rows`)
    // PostgreSQL needs longer to plan this query than to run it, so it is prepared.
    const rows = await query.prepare('everything').execute()
    return JSON.stringify(rows.map((row) => JSON.stringify(row)).sort())
  })
