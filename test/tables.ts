import { join } from 'node:path'
import { getTableColumns, getTableName, is, sql, Table } from 'drizzle-orm'
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

/** A credential's last use is kept whatever becomes of the request, and so is an agent's. */
const columnsOf = (table: PgTable) => {
  const { last_used_at: _, ...columns } = getTableColumns(table)
  return columns
}

/** Asked of a server at once: twenty questions one after the other take twenty times as long. */
const atOnce = sql.join(
  told.map(
    (table) =>
      sql`select ${getTableName(table)} as name, (to_jsonb(one) - 'last_used_at')::text as row from ${table} as one`,
  ),
  sql` union all `,
)

/** All that the database holds, as one text. What has been written to may have moved. */
export const everything = ({ store }: World): Promise<string> =>
  store.read(async (tx) => {
    const rows: unknown[] = []
    if (onPostgres)
      rows.push(await tx.select({ name: sql`name`, row: sql`row` }).from(sql`(${atOnce}) as rows`))
    else for (const table of told) rows.push(await tx.select(columnsOf(table)).from(table))
    return JSON.stringify(
      rows
        .flat()
        .map((row) => JSON.stringify(row))
        .sort(),
    )
  })
