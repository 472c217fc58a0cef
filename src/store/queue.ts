import type { Database } from 'bun:sqlite'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Tx } from '../kernel/caller.ts'
import type { TouchedRow } from './cache.ts'
import { isBusy, writeError } from './errors.ts'
import { WriteAheadLog } from './wal.ts'

interface Job {
  run(tx: Tx): Promise<unknown>
  isUnchecked: boolean
  resolve(value: unknown): void
  reject(error: unknown): void
}

interface WriteQueueOptions {
  database: Database
  tx: Tx
  /** Rows that the open transaction has touched. */
  takeTouched(): TouchedRow[]
  onCommit(rows: readonly TouchedRow[]): void
  /** Milliseconds. */
  clock?: () => number
}

const insideWrite = new AsyncLocalStorage<true>()
const rejectWith = (message: string) => Promise.reject(new Error(message))

/** With one job per commit, `npm run bench` can measure what shared commits gain. */
const MAX_JOBS = process.env.CORK_BENCH_ONE_COMMIT ? 1 : 128
const JOB_TIMEOUT_MS = 10_000
/**
 * A group takes no further jobs after `maxMs`, nor after a single job that took `longJobMs`,
 * because requests are answered only between groups.
 */
const GROUP = { maxMs: 12, longJobMs: 4 }
/** How long a group waits for the write lock of another process, and the pause between tries. */
const LOCK_WAIT_MS = { max: 5000, pause: 1 }

/**
 * The only access to SQLite's writing connection. All waiting jobs run in one transaction, each in
 * its own savepoint, and their promises settle after the commit, so that writers share one fsync.
 */
export class WriteQueue {
  private waiting: Job[] = []
  private draining: Promise<void> | undefined
  private closed = false

  private readonly statements
  private readonly wal: WriteAheadLog

  constructor(private readonly options: WriteQueueOptions) {
    const { database } = options
    this.wal = new WriteAheadLog(database)
    this.statements = {
      begin: database.query('BEGIN IMMEDIATE'),
      commit: database.query('COMMIT'),
      savepoint: database.query('SAVEPOINT job'),
      release: database.query('RELEASE job'),
    }
  }

  push<T>(run: (tx: Tx) => Promise<T>, { isUnchecked = false } = {}): Promise<T> {
    if (insideWrite.getStore())
      return rejectWith('A write began inside a write; pass its tx on instead')
    if (this.closed) return rejectWith('The database was closed before this began')
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ run, isUnchecked, resolve: resolve as Job['resolve'], reject })
      this.draining ??= this.drain()
    })
  }

  get size() {
    return this.waiting.length
  }

  /** Rejects new jobs and resolves once all waiting jobs are written. */
  async close() {
    this.closed = true
    while (this.draining) await this.draining
  }

  private async drain() {
    try {
      do {
        // Requests that arrive in this turn join the group.
        await new Promise((resolve) => setImmediate(resolve))
        await this.commitNext()
        await this.wal.checkpoint()
      } while (this.waiting.length)
    } finally {
      // Must happen in the same turn as the check of `waiting`, or a new job might never start.
      this.draining = undefined
    }
  }

  /** An unchecked job gets a transaction of its own, because others need the foreign keys. */
  private async commitNext() {
    const { database } = this.options
    const first = this.waiting.findIndex(({ isUnchecked }) => isUnchecked)
    if (first !== 0)
      return this.commit(this.waiting.splice(0, first < 0 ? MAX_JOBS : Math.min(first, MAX_JOBS)))
    // Has no effect inside a transaction.
    database.run('PRAGMA foreign_keys=OFF')
    try {
      await this.commit(this.waiting.splice(0, 1))
    } finally {
      database.run('PRAGMA foreign_keys=ON')
    }
  }

  private async commit(jobs: Job[]) {
    const { takeTouched, onCommit } = this.options
    const { commit } = this.statements
    let settlers: (() => void)[]
    let rows: TouchedRow[]
    try {
      await this.begin()
      settlers = await insideWrite.run(true, () => this.runGroup(jobs))
      rows = takeTouched()
      commit.run()
    } catch (error) {
      // Busy, full or unreadable disk: no job has been reported as written yet.
      this.rollback()
      for (const job of jobs) job.reject(writeError(error))
      return
    }
    // Must run before the jobs settle: after a response, reads must not return cached old data.
    onCommit(rows)
    for (const settle of settlers) settle()
  }

  /** SQLite's own busy handler would block this thread and with it every request. */
  private async begin() {
    const deadline = performance.now() + LOCK_WAIT_MS.max
    for (;;)
      try {
        return void this.statements.begin.run()
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error
        await Bun.sleep(LOCK_WAIT_MS.pause)
      }
  }

  private rollback() {
    const { database } = this.options
    try {
      if (database.inTransaction) database.run('ROLLBACK')
    } catch {
      // The jobs must be rejected anyway, and the next group will meet the same error.
    }
  }

  /** Jobs for which no time is left go back to the front of the queue. */
  private async runGroup(jobs: Job[]) {
    const guard = new IoGuard()
    const settlers: (() => void)[] = []
    const { clock = () => performance.now() } = this.options
    const startedAt = clock()
    try {
      for (const job of jobs) {
        const before = clock()
        settlers.push(await this.runJob(job, guard))
        const now = clock()
        if (now - startedAt >= GROUP.maxMs || now - before >= GROUP.longJobMs) break
      }
      this.waiting.unshift(...jobs.splice(settlers.length))
      return settlers
    } finally {
      guard.end()
    }
  }

  private async runJob(job: Job, guard: IoGuard): Promise<() => void> {
    const { database, tx } = this.options
    const { savepoint, release } = this.statements
    savepoint.run()
    try {
      const value = await guard.watch(job.run(tx))
      release.run()
      return () => job.resolve(value)
    } catch (error) {
      // Some errors (a full disk) end SQLite's transaction, so the whole group fails.
      if (!database.inTransaction) throw error
      database.run('ROLLBACK TO job')
      release.run()
      return () => job.reject(writeError(error))
    }
  }
}

/** Fails a job that awaits anything but its queries, which settle in microtasks. */
class IoGuard {
  private hasYielded!: boolean
  private tick!: NodeJS.Immediate
  private timer!: Timer
  private timeout!: Promise<never>

  constructor() {
    this.begin()
  }

  async watch<T>(job: Promise<T>): Promise<T> {
    try {
      const value = await Promise.race([job, this.timeout])
      if (this.hasYielded)
        throw new Error('A write job waited for something other than the database')
      return value
    } finally {
      if (this.hasYielded) {
        this.end()
        this.begin()
      }
    }
  }

  end() {
    clearImmediate(this.tick)
    clearTimeout(this.timer)
  }

  private begin() {
    this.hasYielded = false
    this.tick = setImmediate(() => {
      this.hasYielded = true
    })
    this.timeout = new Promise<never>((_, reject) => {
      const onTimeout = () => reject(new Error('A write job never settled'))
      this.timer = setTimeout(onTimeout, JOB_TIMEOUT_MS)
    })
  }
}
