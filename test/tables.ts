import { join } from 'node:path'
import { getTableColumns, getTableName, is, type SQL, sql, Table } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { agentPresence } from '../src/features/agents/index.ts'
import { fileUsage } from '../src/features/files/index.ts'
import { onPostgres } from './server.ts'
import type { World } from './world.ts'

const root = join(import.meta.dir, '../src')
const files = [...new Bun.Glob('**/tables.ts').scanSync({ cwd: root })]
const modules = await Promise.all(files.map((file) => import(join(root, file))))
export const tables = modules
  .flatMap((module) => Object.values(module))
  .filter((value) => is(value, Table)) as PgTable[]
/** Presence and the bytes that a credential sent count a request whatever becomes of it. */
const told = tables.filter((table) => table !== agentPresence && table !== fileUsage)

/** A row as a text, without the last use of a credential, which is kept whatever becomes of it. */
function rowText(table: PgTable): SQL {
  if (onPostgres) return sql`(to_jsonb(${table}) - 'last_used_at')::text`
  const { last_used_at: _, ...columns } = getTableColumns(table)
  const texts = Object.values(columns).map((column) => sql`quote(${column})`)
  return sql.join(texts, sql` || ',' || `)
}

/** One query: a query for each table takes twenty times as long. */
const allRows = sql.join(
  told.map(
    (table) => sql`select ${getTableName(table)} as name, ${rowText(table)} as row from ${table}`,
  ),
  sql` union all `,
)

/** All that the database holds, as one text. What has been written to may have moved. */
export const everything = ({ store }: World): Promise<string> =>
  store.read(async (tx) => {
    const query = tx.select({ name: sql`name`, row: sql`row` }).from(sql`(${allRows}) as rows`)
    // A server needs longer to plan it than to run it, so it is named and planned once.
    const rows = await query.prepare('everything').execute()
    return JSON.stringify(rows.map((row) => JSON.stringify(row)).sort())
  })
