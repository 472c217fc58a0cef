import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { Client } from 'pg'
import { databaseOf } from '../binary/cork.ts'
import type { Query } from './audit.ts'

/** Direct access to a database, not through the server. */
export interface DirectDatabase {
  query: Query
  /** True for SQLite: a file that only the server writes to. */
  isSqlite: boolean
  /** Resolves once the database has finished the work of a killed server. */
  waitUntilIdle(): Promise<void>
  close(): Promise<void>
}

/** `address` is the PostgreSQL database, if the caller has chosen it; empty for SQLite. */
export async function openDirectly(data: string, address?: string): Promise<DirectDatabase> {
  const url = address ?? (await databaseOf(data))
  return url ? openPostgres(url) : openSqlite(data)
}

function openSqlite(data: string): DirectDatabase {
  const path = join(data, 'corkboard.db')
  return {
    async query<T>(sql: string) {
      const database = new Database(path, { readonly: true })
      try {
        return database.query(sql).all() as T[]
      } finally {
        database.close()
      }
    },
    isSqlite: true,
    waitUntilIdle: async () => {},
    close: async () => {},
  }
}

async function openPostgres(url: string): Promise<DirectDatabase> {
  const client = new Client(url)
  await client.connect()
  const query: Query = async <T>(sql: string) => (await client.query(sql)).rows as T[]
  return {
    query,
    isSqlite: false,
    async waitUntilIdle() {
      // PostgreSQL may still be committing for a client that is gone.
      const otherConnections = `select pid from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
        and backend_type = 'client backend'`
      while ((await query(otherConnections)).length) await Bun.sleep(10)
    },
    close: () => client.end(),
  }
}
