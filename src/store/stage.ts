import { Database } from 'bun:sqlite'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import type { Tx } from '../kernel/caller.ts'
import type { Where } from './open.ts'
import { isBusy } from './trouble.ts'

/** How long one transaction may keep other writers waiting, in milliseconds. */
const HOLD = { least: 3, first: 5, most: 8 }
/** Between two transactions; a server that waits looks every millisecond. */
const REST = { least: 3, most: 15 }
/** After so many transactions what they wrote is moved into the file, which syncs the disk. */
const TIDY_EVERY = 4
/** How long it waits itself for the write lock. */
const LOCKED_MS = 60_000

/** A connection of its own that writes beside a server. */
interface Line {
  tx: Tx
  begin(): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
  /** Called between two transactions, while nothing is locked. */
  tidy(): void
  /** From now on a commit is on disk when it returns. */
  durable(): void
  close(): Promise<void>
}

/**
 * Writes many rows beside a running server in transactions of a few milliseconds, and rests as long
 * after each, so that the server's own writes always find a gap. Nothing of it may be visible before
 * the last transaction makes it so.
 */
export class Stage {
  private began: number | undefined
  private hold = HOLD.first
  private commits = 0
  private closed = false

  private constructor(
    private readonly line: Line,
    private readonly check: (tx: Tx) => Promise<void>,
  ) {}

  /** `check` runs first in every transaction, and ends the work by throwing. */
  static async open(where: Where, check: (tx: Tx) => Promise<void>): Promise<Stage> {
    return new Stage(await (where.url ? onServer(where.url) : inFile(where.path)), check)
  }

  get tx(): Tx {
    return this.line.tx
  }

  /** Sees to it that a transaction is open, which has not been so for long. Call before each write. */
  readonly breathe = async (): Promise<void> => {
    if (this.began !== undefined && performance.now() - this.began > this.hold) await this.commit()
    if (this.began !== undefined) return
    await this.line.begin()
    this.began = performance.now()
    await this.check(this.line.tx)
  }

  /** Ends what is open and rests. Call before work that takes long without the database. */
  readonly commit = async (): Promise<void> => {
    if (this.began === undefined) return
    await this.line.commit()
    const took = performance.now() - this.began
    this.began = undefined
    this.hold =
      took > HOLD.most ? Math.max(HOLD.least, this.hold / 2) : Math.min(HOLD.most, this.hold * 1.2)
    if (++this.commits % TIDY_EVERY === 0) this.line.tidy()
    await Bun.sleep(Math.min(REST.most, Math.max(REST.least, took)))
  }

  /** Runs a job in one transaction, which is on disk once this returns. */
  async atomic<T>(job: (tx: Tx) => Promise<T>): Promise<T> {
    await this.commit()
    this.line.durable()
    await this.breathe()
    const value = await job(this.line.tx)
    await this.commit()
    return value
  }

  /** What is open is undone. */
  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    if (this.began !== undefined) await this.line.rollback()
    this.began = undefined
    await this.line.close()
  }
}

async function inFile(path: string): Promise<Line> {
  const database = new Database(path, { strict: true })
  database.run('PRAGMA busy_timeout=5000')
  // The log is synced with the last commit, and before any of it is moved into the file.
  database.run('PRAGMA synchronous=NORMAL')
  database.run('PRAGMA foreign_keys=ON')
  database.run('PRAGMA wal_autocheckpoint=0')
  database.run('PRAGMA busy_timeout=0')
  return {
    tx: drizzle(database) as unknown as Tx,
    begin: () => locked(database),
    commit: async () => void database.run('COMMIT'),
    rollback: async () => void (database.inTransaction && database.run('ROLLBACK')),
    // Otherwise the server would have to do it, on the thread that answers requests.
    tidy: () => void database.run('PRAGMA wal_checkpoint(PASSIVE)'),
    durable: () => void database.run('PRAGMA synchronous=FULL'),
    close: async () => database.close(),
  }
}

async function locked(database: Database): Promise<void> {
  const until = performance.now() + LOCKED_MS
  for (;;)
    try {
      return void database.run('BEGIN IMMEDIATE')
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error
      await Bun.sleep(1)
    }
}

async function onServer(url: string): Promise<Line> {
  const [{ connect, named }, { drizzle: over }] = await Promise.all([
    import('./connect.ts'),
    import('drizzle-orm/node-postgres'),
  ])
  const pool = await connect(url)
  const client = await pool.connect()
  const run = async (statement: string) => void (await client.query(statement))
  return {
    tx: over({ client: named(client) as never }) as unknown as Tx,
    begin: () => run('BEGIN'),
    commit: () => run('COMMIT'),
    rollback: () => run('ROLLBACK').catch(() => {}),
    tidy() {},
    durable() {},
    async close() {
      client.release(true)
      await pool.end()
    },
  }
}
