import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { Client } from 'pg'
import { databaseOf } from '../binary/cork.ts'
import type { Rows } from './audit.ts'

/** Direct access to a database, not through the server. */
export interface Books {
  rows: Rows
  /** True for SQLite: a file that only the server writes to. */
  embedded: boolean
  /** Resolves once the database has finished the work of a killed server. */
  settle(): Promise<void>
  close(): Promise<void>
}

export async function open(data: string): Promise<Books> {
  const url = await databaseOf(data)
  return url ? onServer(url) : inFolder(data)
}

function inFolder(data: string): Books {
  const path = join(data, 'corkboard.db')
  return {
    async rows<T>(sql: string) {
      const database = new Database(path, { readonly: true })
      try {
        return database.query(sql).all() as T[]
      } finally {
        database.close()
      }
    },
    embedded: true,
    settle: async () => {},
    close: async () => {},
  }
}

async function onServer(url: string): Promise<Books> {
  const client = new Client(url)
  await client.connect()
  const rows: Rows = async <T>(sql: string) => (await client.query(sql)).rows as T[]
  return {
    rows,
    embedded: false,
    async settle() {
      // PostgreSQL may still be committing for a client that is gone.
      const others = `select pid from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
        and backend_type = 'client backend'`
      while ((await rows(others)).length) await Bun.sleep(10)
    },
    close: () => client.end(),
  }
}
