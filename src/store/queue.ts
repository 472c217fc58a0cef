import type { Database } from 'bun:sqlite'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Tx } from '../kernel/caller.ts'

interface Job {
  run(tx: Tx): Promise<unknown>
  /** Reads pass through here too where there is one connection; nobody need hear of those. */
  reads: boolean
  resolve(value: unknown): void
  reject(error: unknown): void
}

const inside = new AsyncLocalStorage<true>()
const refused = (message: string) => Promise.reject(new Error(message))

const MOST_JOBS = 128
const STUCK_MS = 10_000

/**
 * The only door to SQLite's writing connection. Whatever waits is run in one transaction, each job
 * in a savepoint of its own, and nobody is answered before the commit: writers share one fsync.
 */
export class WriteQueue {
  private waiting: Job[] = []
  private draining: Promise<void> | undefined
  private closed = false

  constructor(
    private readonly database: Database,
    private readonly tx: Tx,
    private readonly committed: () => void,
  ) {}

  push<T>(run: (tx: Tx) => Promise<T>, reads = false): Promise<T> {
    if (inside.getStore()) return refused('A write began inside a write; pass its tx on instead')
    if (this.closed) return refused('The database was closed before this began')
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ run, reads, resolve: resolve as Job['resolve'], reject })
      this.draining ??= this.drain()
    })
  }

  get size() {
    return this.waiting.length
  }

  /** Resolves once everything that waits has been written; nothing more is taken. */
  async close() {
    this.closed = true
    while (this.draining) await this.draining
  }

  private async drain() {
    try {
      do {
        // Let the requests that are on their way in join this group.
        await new Promise((next) => setImmediate(next))
        await this.commit(this.waiting.splice(0, MOST_JOBS))
      } while (this.waiting.length)
    } finally {
      // In the same turn as the look at what waits, or a write pushed in between is forgotten.
      this.draining = undefined
    }
  }

  private async commit(jobs: Job[]) {
    const done: (() => void)[] = []
    try {
      this.database.run('BEGIN IMMEDIATE')
      for (const job of jobs) done.push(await this.attempt(job))
      this.database.run('COMMIT')
    } catch (error) {
      // Busy, full or unreadable disk: nobody was told that anything is written.
      if (this.database.inTransaction) this.database.run('ROLLBACK')
      for (const job of jobs) job.reject(error)
      return
    }
    for (const tell of done) tell()
    if (jobs.some(({ reads }) => !reads)) this.committed()
  }

  private async attempt(job: Job): Promise<() => void> {
    this.database.run('SAVEPOINT job')
    try {
      const value = await this.run(job)
      this.database.run('RELEASE job')
      return () => job.resolve(value)
    } catch (error) {
      // Some errors (a full disk) end SQLite's transaction by themselves: the group is lost.
      if (!this.database.inTransaction) throw error
      this.database.run('ROLLBACK TO job')
      this.database.run('RELEASE job')
      return () => job.reject(error)
    }
  }

  /** A job may await its queries, which settle in micro-tasks, but never the world outside. */
  private async run(job: Job) {
    let left = false
    const tick = setImmediate(() => {
      left = true
    })
    let alarm: Timer | undefined
    const stuck = new Promise<never>((_, reject) => {
      alarm = setTimeout(() => reject(new Error('A write job never settled')), STUCK_MS)
    })
    try {
      const value = await inside.run(true, () => Promise.race([job.run(this.tx), stuck]))
      if (left) throw new Error('A write job waited for something other than the database')
      return value
    } finally {
      clearImmediate(tick)
      clearTimeout(alarm)
    }
  }
}
