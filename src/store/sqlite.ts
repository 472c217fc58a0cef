import { Database } from 'bun:sqlite'
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import type { Clock, Tx } from '../kernel/caller.ts'
import { gatherTexts } from './fulltext.ts'
import { append } from './log.ts'
import { migrate } from './migrate.ts'
import { once } from './once.ts'
import { WriteQueue } from './queue.ts'
import { Memory, remember } from './recall.ts'
import type { OpenStore } from './store.ts'
import { isBusy, troubleOf, unread } from './trouble.ts'
import { Unusable } from './unusable.ts'
import { watch } from './watch.ts'

/** How long a read waits where another process locks readers out. */
const LOCKED_MS = 5000

/** The embedded database: one connection writes through a queue, another one reads. */
export function openSqlite(path: string, clock: Clock): OpenStore {
  const writer = connect(path)
  try {
    migrate(writer, path, clock())
  } catch (error) {
    writer.close()
    throw error instanceof Unusable ? error : unusable(path, error)
  }
  // From here on a locked database is waited for without blocking this thread.
  writer.run('PRAGMA busy_timeout=0')
  const listeners = new Set<() => void>()
  const reader = connectReader(path)
  const readTx = drizzle(reader) as unknown as Tx
  const memory = new Memory()
  remember(readTx, memory)
  const { touched, foreign } = watch(writer)
  const writeTx = drizzle(writer) as unknown as Tx
  const index = gatherTexts(writer, writeTx)
  const queue = new WriteQueue({
    database: writer,
    tx: writeTx,
    touched() {
      // Asked when all jobs are done, which is what the texts have waited for.
      index()
      return touched()
    },
    committed(rows) {
      memory.forget(rows)
      for (const heard of listeners) heard()
    },
  })
  return {
    write: (job) => queue.push(job),
    age() {
      if (foreign()) memory.forgetAll()
      return memory.age
    },
    read: (job) =>
      patiently(() => {
        if (foreign()) memory.forgetAll()
        return job(readTx)
      }),
    append,
    once,
    onCommit(heard) {
      listeners.add(heard)
      return () => listeners.delete(heard)
    },
    waiting: () => queue.size,
    async close() {
      await queue.close()
      reader.close()
      gather(writer)
      writer.close()
    },
  }
}

/**
 * A read waits for another process only where that locks even readers out: it repairs the log after
 * a crash, or holds the file exclusively. A read changes nothing, so it may be run again.
 */
async function patiently<T>(read: () => Promise<T>): Promise<T> {
  const until = performance.now() + LOCKED_MS
  for (;;)
    try {
      return await read()
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw unread(error)
      await Bun.sleep(1)
    }
}

/** Statements that are still held keep SQLite from moving its log into the file when it closes. */
function gather(database: Database) {
  try {
    // The kind that waits for nobody and keeps nobody waiting: a server may be at work beside.
    database.run('PRAGMA wal_checkpoint(PASSIVE)')
  } catch {
    // Closed before, or a full disk: what stays in the log is read from there.
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
  database.run('PRAGMA busy_timeout=0')
  return database
}

function open(path: string): Database {
  const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0
  // SQLite would take it for a new database and delete the log.
  if (sizeOf(path) === 0 && sizeOf(`${path}-wal`) > 0)
    throw new Unusable(
      `The database at ${path} is missing or empty, but ${path}-wal beside it holds writes that belong to it. Put the database back or restore a backup; to begin anew, move both away.`,
    )
  try {
    // SQLite would open it all the same, and refuse every write later.
    if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK)
    return new Database(path, { create: true, strict: true })
  } catch (error) {
    throw unusable(path, error)
  }
}

function unusable(path: string, error: unknown): Unusable {
  const { what, next } = troubleOf(error) ?? {
    what: (error as Error).message,
    next: 'Check that the folder exists, is writable and holds a Corkboard database.',
  }
  return new Unusable(`The database at ${path} cannot be used: ${what}. ${next}`)
}
