import { Database } from 'bun:sqlite'
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import type { Clock, Tx } from '../kernel/caller.ts'
import { enableCache, ReadCache, type TouchedRow } from './cache.ts'
import { isBusy, problemOf, readError } from './errors.ts'
import { queueTexts } from './fulltext.ts'
import { idempotent } from './idempotency.ts'
import { append } from './log.ts'
import { migrate } from './migrate.ts'
import { WriteQueue } from './queue.ts'
import { inSavepoint } from './savepoint.ts'
import type { OpenStore } from './store.ts'
import { UnusableError } from './unusable.ts'
import { watchWrites } from './watch-writes.ts'

/** How long a read waits while another process locks readers out. */
const LOCK_TIMEOUT_MS = 5000

/** The embedded database: one connection writes through a queue, another one reads. */
export function openSqlite(path: string, clock: Clock): OpenStore {
  const writer = openWriter(path, clock)
  const listeners = new Set<() => void>()
  const reader = connectReader(path)
  const readTx = drizzle(reader) as unknown as Tx
  const cache = new ReadCache()
  enableCache(readTx, cache)
  const { takeTouched, hasForeignWrites } = watchWrites(writer)
  const queue = openQueue(writer, takeTouched, (rows) => {
    cache.invalidate(rows)
    for (const listener of listeners) listener()
  })
  return {
    write: (job, options) => queue.push(job, options),
    version() {
      if (hasForeignWrites()) cache.clear()
      return cache.version
    },
    read: (job) =>
      retryWhileBusy(() => {
        if (hasForeignWrites()) cache.clear()
        return job(readTx)
      }),
    append,
    idempotent,
    inSavepoint,
    onCommit(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    queueLength: () => queue.size,
    async close() {
      await queue.close()
      reader.close()
      checkpoint(writer)
      writer.close()
    },
  }
}

/** Opens a connection for a thread that only reads. */
export function openReader(path: string): Pick<OpenStore, 'read'> {
  const reader = connectReader(path)
  const tx = drizzle(reader) as unknown as Tx
  const cache = new ReadCache()
  enableCache(tx, cache)
  const version = reader.query<{ data_version: number }, []>('PRAGMA data_version')
  let lastVersion = version.get()!.data_version
  return {
    read: (job) =>
      retryWhileBusy(() => {
        const { data_version } = version.get()!
        if (data_version !== lastVersion) cache.clear()
        lastVersion = data_version
        return job(tx)
      }),
  }
}

/** Opens the writing connection and applies the migrations. */
function openWriter(path: string, clock: Clock): Database {
  const writer = connect(path)
  try {
    migrate(writer, path, clock())
  } catch (error) {
    writer.close()
    throw error instanceof UnusableError ? error : toUnusable(path, error)
  }
  // SQLite's busy handler blocks the thread, so waiting for locks is done in this program.
  writer.run('PRAGMA busy_timeout=0')
  return writer
}

/** Opens the write queue. The texts that a group of jobs wrote are indexed before its commit. */
function openQueue(
  writer: Database,
  takeTouched: () => TouchedRow[],
  onCommit: (rows: readonly TouchedRow[]) => void,
): WriteQueue {
  const tx = drizzle(writer) as unknown as Tx
  const indexQueuedTexts = queueTexts(writer, tx)
  return new WriteQueue({
    database: writer,
    tx,
    takeTouched() {
      // Called after all jobs of a group, so the queued texts can be indexed now.
      indexQueuedTexts()
      return takeTouched()
    },
    onCommit,
  })
}

/**
 * Readers are locked out only if another process repairs the log after a crash or holds the file
 * exclusively. A read changes nothing, so it is simply retried.
 */
async function retryWhileBusy<T>(read: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + LOCK_TIMEOUT_MS
  for (;;)
    try {
      return await read()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw readError(error)
      await Bun.sleep(1)
    }
}

/** Open statements keep SQLite from moving its log into the file when it closes. */
function checkpoint(database: Database) {
  try {
    // A passive checkpoint does not block another server on the same file.
    database.run('PRAGMA wal_checkpoint(PASSIVE)')
  } catch {
    // Already closed, or the disk is full: the log is read at the next start.
  }
}

function connect(path: string): Database {
  const database = open(path)
  try {
    database.run('PRAGMA busy_timeout=5000')
    database.run('PRAGMA journal_mode=WAL')
    // A response means that the write is on disk, so every commit is synced.
    database.run('PRAGMA synchronous=FULL')
    database.run('PRAGMA foreign_keys=ON')
    return database
  } catch (error) {
    database.close()
    throw toUnusable(path, error)
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
  // SQLite would treat the file as a new database and delete the log.
  if (sizeOf(path) === 0 && sizeOf(`${path}-wal`) > 0)
    throw new UnusableError(
      `The database at ${path} is missing or empty, but ${path}-wal beside it contains writes that belong to it. Put the database back or restore a backup; to start over, move both away.`,
    )
  try {
    // SQLite would open a read-only file and fail at the first write.
    if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK)
    return new Database(path, { create: true, strict: true })
  } catch (error) {
    throw toUnusable(path, error)
  }
}

function toUnusable(path: string, error: unknown): UnusableError {
  const { problem, remedy } = problemOf(error) ?? {
    problem: (error as Error).message,
    remedy: 'Check that the folder exists, is writable and contains a Corkboard database.',
  }
  return new UnusableError(`The database at ${path} cannot be used: ${problem}. ${remedy}`)
}
