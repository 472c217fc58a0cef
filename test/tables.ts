import { join } from 'node:path'
import { getTableColumns, is, Table } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { World } from './world.ts'

const root = join(import.meta.dir, '../src')
const files = [...new Bun.Glob('**/tables.ts').scanSync({ cwd: root })]
const modules = await Promise.all(files.map((file) => import(join(root, file))))
const tables = modules
  .flatMap((module) => Object.values(module))
  .filter((value) => is(value, Table)) as PgTable[]

/** A credential's last use is kept whatever becomes of the request. */
const columnsOf = (table: PgTable) => {
  const { last_used_at: _, ...columns } = getTableColumns(table)
  return columns
}

/** All that the database holds, as one text. */
export const everything = ({ store }: World): Promise<string> =>
  store.read(async (tx) => {
    const rows: unknown[] = []
    for (const table of tables) rows.push(await tx.select(columnsOf(table)).from(table))
    return JSON.stringify(rows)
  })
