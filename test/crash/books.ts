import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { Client } from 'pg'
import { databaseOf } from '../binary/cork.ts'
import type { Rows } from './audit.ts'

/** A database as somebody sees it who does not go through the server. */
export interface Books {
  rows: Rows
  /** It is a file, and nobody but the server writes to it. */
  embedded: boolean
  /** Resolves once nothing of a server that was killed is still being done. */
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
      // The database server may be at the commit of a client that is no more.
      const others = `select pid from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
        and backend_type = 'client backend'`
      while ((await rows(others)).length) await Bun.sleep(10)
    },
    close: () => client.end(),
  }
}
