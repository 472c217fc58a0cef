import { Database } from 'bun:sqlite'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import type { Clock, Tx } from '../kernel/caller.ts'
import type { Store } from '../kernel/dispatch.ts'
import { append } from './log.ts'
import { migrate, Unusable } from './migrate.ts'
import { once } from './once.ts'
import { WriteQueue } from './queue.ts'

export interface OpenStore extends Store {
  /** Calls back after every group of writes, until the returned function is called. */
  onCommit(heard: () => void): () => void
  /** How many writes wait for the next commit. */
  waiting(): number
  close(): Promise<void>
}

/** The embedded database: one connection writes through a queue, another one reads. */
export function openSqlite(path: string, clock: Clock): OpenStore {
  const writer = connect(path)
  try {
    migrate(writer, path, clock())
  } catch (error) {
    writer.close()
    throw error
  }
  const listeners = new Set<() => void>()
  const tx = drizzle(writer) as unknown as Tx
  const queue = new WriteQueue(writer, tx, () => {
    for (const heard of listeners) heard()
  })
  const reader = path === ':memory:' ? undefined : connectReader(path)
  const readTx = reader && (drizzle(reader) as unknown as Tx)
  return {
    write: (job) => queue.push(job),
    // Memory has one connection only; a read waits its turn so as not to see half a group.
    read: (job) => (readTx ? job(readTx) : queue.push(job, true)),
    append,
    once,
    onCommit(heard) {
      listeners.add(heard)
      return () => listeners.delete(heard)
    },
    waiting: () => queue.size,
    async close() {
      await queue.close()
      reader?.close()
      writer.close()
    },
  }
}

function connect(path: string): Database {
  const database = open(path)
  try {
    database.run('PRAGMA busy_timeout=5000')
    database.run('PRAGMA journal_mode=WAL')
    // An answer means the write is on disk, so every commit is synced.
    database.run('PRAGMA synchronous=FULL')
    database.run('PRAGMA foreign_keys=ON')
    return database
  } catch (error) {
    database.close()
    throw unusable(path, error)
  }
}

function connectReader(path: string): Database {
  const database = new Database(path, { readonly: true })
  database.run('PRAGMA busy_timeout=5000')
  database.run('PRAGMA query_only=ON')
  return database
}

function open(path: string): Database {
  try {
    return new Database(path, { create: true, strict: true })
  } catch (error) {
    throw unusable(path, error)
  }
}

const unusable = (path: string, error: unknown) =>
  new Unusable(
    `The database at ${path} cannot be used: ${(error as Error).message}. Check that the folder exists, is writable and holds a Corkboard database.`,
  )
