import type { Database } from 'bun:sqlite'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Tx } from '../kernel/caller.ts'
import type { Touched } from './recall.ts'
import { isBusy, unwritten } from './trouble.ts'
import { WriteAheadLog } from './wal.ts'

interface Job {
  run(tx: Tx): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

interface Parts {
  database: Database
  tx: Tx
  /** What the open transaction has touched. */
  touched(): Touched[]
  committed(rows: readonly Touched[]): void
  /** Milliseconds. */
  clock?: () => number
}

const inside = new AsyncLocalStorage<true>()
const refused = (message: string) => Promise.reject(new Error(message))

/** One for each commit shows "npm run bench" what sharing commits is worth. */
const MOST_JOBS = process.env.CORK_BENCH_ONE_COMMIT ? 1 : 128
const STUCK_MS = 10_000
/**
 * A group takes no further job after this time, nor after one job that took long by itself: requests
 * are answered between two groups.
 */
const GROUP = { mostMs: 12, longJobMs: 4 }
/** How long a group waits for another process to release the write lock, and between two tries. */
const LOCKED = { most: 5000, pause: 1 }

/**
 * The only door to SQLite's writing connection. Whatever waits is run in one transaction, each job
 * in a savepoint of its own, and nobody is answered before the commit: writers share one fsync.
 */
export class WriteQueue {
  private waiting: Job[] = []
  private draining: Promise<void> | undefined
  private closed = false

  private readonly statements
  private readonly log: WriteAheadLog

  constructor(private readonly parts: Parts) {
    const { database } = parts
    this.log = new WriteAheadLog(database)
    this.statements = {
      begin: database.query('BEGIN IMMEDIATE'),
      commit: database.query('COMMIT'),
      savepoint: database.query('SAVEPOINT job'),
      release: database.query('RELEASE job'),
    }
  }

  push<T>(run: (tx: Tx) => Promise<T>): Promise<T> {
    if (inside.getStore()) return refused('A write began inside a write; pass its tx on instead')
    if (this.closed) return refused('The database was closed before this began')
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ run, resolve: resolve as Job['resolve'], reject })
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
        await this.log.shorten()
      } while (this.waiting.length)
    } finally {
      // In the same turn as the look at what waits, or a write pushed in between is forgotten.
      this.draining = undefined
    }
  }

  private async commit(jobs: Job[]) {
    const { touched, committed } = this.parts
    const { commit } = this.statements
    let done: (() => void)[]
    let rows: Touched[]
    try {
      await this.begin()
      done = await inside.run(true, () => this.attemptSome(jobs))
      rows = touched()
      commit.run()
    } catch (error) {
      // Busy, full or unreadable disk: nobody was told that anything is written.
      this.undo()
      for (const job of jobs) job.reject(unwritten(error))
      return
    }
    // Before anybody is answered: whoever has an answer must not read what was before it.
    committed(rows)
    for (const tell of done) tell()
  }

  /** SQLite's own busy handler would sleep on this thread and hold up every request. */
  private async begin() {
    const until = performance.now() + LOCKED.most
    for (;;)
      try {
        return void this.statements.begin.run()
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) throw error
        await Bun.sleep(LOCKED.pause)
      }
  }

  private undo() {
    const { database } = this.parts
    try {
      if (database.inTransaction) database.run('ROLLBACK')
    } catch {
      // Whoever waits has to be answered all the same, and the next group meets what is wrong.
    }
  }

  /** The jobs for which there is no time left wait for the next group. */
  private async attemptSome(jobs: Job[]) {
    const watch = new Watch()
    const done: (() => void)[] = []
    const { clock = () => performance.now() } = this.parts
    const began = clock()
    try {
      for (const job of jobs) {
        const before = clock()
        done.push(await this.attempt(job, watch))
        const now = clock()
        if (now - began >= GROUP.mostMs || now - before >= GROUP.longJobMs) break
      }
      this.waiting.unshift(...jobs.splice(done.length))
      return done
    } finally {
      watch.end()
    }
  }

  private async attempt(job: Job, watch: Watch): Promise<() => void> {
    const { database, tx } = this.parts
    const { savepoint, release } = this.statements
    savepoint.run()
    try {
      const value = await watch.over(job.run(tx))
      release.run()
      return () => job.resolve(value)
    } catch (error) {
      // Some errors (a full disk) end SQLite's transaction by themselves: the group is lost.
      if (!database.inTransaction) throw error
      database.run('ROLLBACK TO job')
      release.run()
      return () => job.reject(unwritten(error))
    }
  }
}

/** A job may await its queries, which settle in micro-tasks, but never the world outside. */
class Watch {
  private left!: boolean
  private tick!: NodeJS.Immediate
  private alarm!: Timer
  private stuck!: Promise<never>

  constructor() {
    this.begin()
  }

  async over<T>(job: Promise<T>): Promise<T> {
    try {
      const value = await Promise.race([job, this.stuck])
      if (this.left) throw new Error('A write job waited for something other than the database')
      return value
    } finally {
      if (this.left) {
        this.end()
        this.begin()
      }
    }
  }

  end() {
    clearImmediate(this.tick)
    clearTimeout(this.alarm)
  }

  private begin() {
    this.left = false
    this.tick = setImmediate(() => {
      this.left = true
    })
    this.stuck = new Promise<never>((_, reject) => {
      const late = () => reject(new Error('A write job never settled'))
      this.alarm = setTimeout(late, STUCK_MS)
    })
  }
}
