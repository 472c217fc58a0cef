import { Database } from 'bun:sqlite'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import type { Tx } from '../kernel/caller.ts'
import { isBusy } from './errors.ts'
import type { DatabaseLocation } from './open.ts'

/** How long one transaction may keep other writers waiting, in milliseconds. */
const HOLD_MS = { min: 3, initial: 5, max: 8 }
/** Pause between two transactions; a server that waits for the lock tries every millisecond. */
const REST_MS = { min: 3, max: 15 }
/** How long this writer waits for the write lock. */
const LOCK_TIMEOUT_MS = 60_000

/** A separate connection that writes while a server runs. */
interface Connection {
  tx: Tx
  begin(): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
  /** Called between transactions, while nothing is locked. */
  checkpoint(): void
  /** From now on, commits are on disk when they return. */
  makeDurable(): void
  close(): Promise<void>
}

/**
 * Writes many rows while a server runs, in transactions of a few milliseconds with pauses of the
 * same length, so that the server's own writes are not delayed. The rows must stay hidden until the
 * last transaction publishes them.
 */
export class StagedWriter {
  private beganAt: number | undefined
  private holdMs = HOLD_MS.initial
  private closed = false

  private constructor(
    private readonly connection: Connection,
    private readonly check: (tx: Tx) => Promise<void>,
  ) {}

  /** `check` runs at the start of every transaction and aborts the work by throwing. */
  static async open(
    location: DatabaseLocation,
    check: (tx: Tx) => Promise<void>,
  ): Promise<StagedWriter> {
    return new StagedWriter(
      await (location.url ? connectPostgres(location.url) : connectSqlite(location.path)),
      check,
    )
  }

  get tx(): Tx {
    return this.connection.tx
  }

  /**
   * Ensures an open transaction, committing one that is open for too long. Call before each write.
   */
  readonly ensureTransaction = async (): Promise<void> => {
    if (this.beganAt !== undefined && performance.now() - this.beganAt > this.holdMs)
      await this.commit()
    if (this.beganAt !== undefined) return
    await this.connection.begin()
    this.beganAt = performance.now()
    await this.check(this.connection.tx)
  }

  /** Commits the open transaction and pauses. Call before long work without the database. */
  readonly commit = async (): Promise<void> => {
    if (this.beganAt === undefined) return
    await this.connection.commit()
    const elapsed = performance.now() - this.beganAt
    this.beganAt = undefined
    this.holdMs =
      elapsed > HOLD_MS.max
        ? Math.max(HOLD_MS.min, this.holdMs / 2)
        : Math.min(HOLD_MS.max, this.holdMs * 1.2)
    this.connection.checkpoint()
    await Bun.sleep(Math.min(REST_MS.max, Math.max(REST_MS.min, elapsed)))
  }

  /** Runs a job in its own transaction, which is on disk when this returns. */
  async atomic<T>(job: (tx: Tx) => Promise<T>): Promise<T> {
    await this.commit()
    this.connection.makeDurable()
    await this.ensureTransaction()
    const value = await job(this.connection.tx)
    await this.commit()
    return value
  }

  /** Rolls back the open transaction. */
  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    if (this.beganAt !== undefined) await this.connection.rollback()
    this.beganAt = undefined
    await this.connection.close()
  }
}

async function connectSqlite(path: string): Promise<Connection> {
  const database = new Database(path, { strict: true })
  database.run('PRAGMA busy_timeout=5000')
  // With NORMAL, the log is synced before a checkpoint; `makeDurable` also syncs each commit.
  database.run('PRAGMA synchronous=NORMAL')
  database.run('PRAGMA foreign_keys=ON')
  database.run('PRAGMA wal_autocheckpoint=0')
  database.run('PRAGMA busy_timeout=0')
  return {
    tx: drizzle(database) as unknown as Tx,
    begin: () => beginImmediate(database),
    commit: async () => void database.run('COMMIT'),
    rollback: async () => void (database.inTransaction && database.run('ROLLBACK')),
    // Moves the log into the file after each commit. Otherwise the server would do it once the log is
    // long, on the thread that answers requests.
    checkpoint: () => void database.run('PRAGMA wal_checkpoint(PASSIVE)'),
    makeDurable: () => void database.run('PRAGMA synchronous=FULL'),
    close: async () => database.close(),
  }
}

async function beginImmediate(database: Database): Promise<void> {
  const deadline = performance.now() + LOCK_TIMEOUT_MS
  for (;;)
    try {
      return void database.run('BEGIN IMMEDIATE')
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      await Bun.sleep(1)
    }
}

async function connectPostgres(url: string): Promise<Connection> {
  const [{ connect, withShortNames }, { drizzle: drizzlePostgres }] = await Promise.all([
    import('./connect.ts'),
    import('drizzle-orm/node-postgres'),
  ])
  const pool = await connect(url)
  const client = await pool.connect()
  const run = async (statement: string) => void (await client.query(statement))
  return {
    tx: drizzlePostgres({ client: withShortNames(client) as never }) as unknown as Tx,
    begin: () => run('BEGIN'),
    commit: () => run('COMMIT'),
    rollback: () => run('ROLLBACK').catch(() => {}),
    checkpoint() {},
    makeDurable() {},
    async close() {
      client.release(true)
      await pool.end()
    },
  }
}
