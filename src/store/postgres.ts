import { AsyncLocalStorage } from 'node:async_hooks'
import { DrizzleQueryError } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { DatabaseError, type Pool, type PoolClient } from 'pg'
import type { Clock, Tx } from '../kernel/caller.ts'
import { Fault } from '../kernel/fault.ts'
import { connect, connectAside, named, unconnected, unreachable } from './connect.ts'
import { append } from './log.ts'
import { migratePostgres } from './migrate.ts'
import { once } from './once.ts'
import { Settled, settle } from './settled.ts'
import type { OpenStore } from './store.ts'
import { Tally } from './tally.ts'
import { unconfirmed, unread, unwritten } from './trouble.ts'

/** The server itself ends what waits for anything but the database much sooner. */
const STUCK_MS = 60_000
const TRIES = 6

/** Lost to somebody at the same moment: whoever looks again succeeds, or is told the reason. */
const RACES = new Set([
  '40001', // serialization failure
  '40P01', // deadlock
  '23505', // somebody inserted the same
  '23503', // somebody deleted what this refers to
])
/** The connection's prepared statements are of no use any more. */
const STALE = new Set(['0A000', '26000'])

const inside = new AsyncLocalStorage<true>()

/** The connection may still be at work, so nobody else may be given it. */
class Unfit extends Error {}

/** A database server that other processes write to as well. Each job holds one connection. */
export async function openPostgres(url: string, clock: Clock): Promise<OpenStore> {
  const pool = await connect(url)
  try {
    await migratePostgres(pool, clock())
    const server = new Server(pool, await Settled.since(pool))
    const tally = new Tally(connectAside(url))
    return {
      append,
      once,
      read: (job) => server.read(job),
      write: (job) => server.write(job),
      onCommit: (heard) => server.onCommit(heard),
      waiting: () => server.waiting(),
      tally,
      async close() {
        await server.close()
        await tally.close()
      },
    }
  } catch (error) {
    await pool.end()
    throw error
  }
}

type Job<T> = (tx: Tx) => Promise<T>

class Server implements Omit<OpenStore, 'append' | 'once'> {
  private readonly listeners = new Set<() => void>()
  private readonly running = new Set<Promise<unknown>>()
  private readonly handles = new WeakMap<PoolClient, Tx>()
  private queued = 0
  private closed = false

  constructor(
    private readonly pool: Pool,
    private readonly settled: Settled,
  ) {
    // What asks to look again may be a write, and whoever is told of it here begins one of their own.
    settled.again = () => inside.exit(() => this.tell())
  }

  read<T>(job: Job<T>): Promise<T> {
    return this.run((client) => job(this.handle(client))).catch((error) => {
      throw unread(error)
    })
  }

  async write<T>(job: Job<T>): Promise<T> {
    if (inside.getStore()) throw new Error('A write began inside a write; pass its tx on instead')
    this.queued++
    const value = await this.run((client) => this.transact(client, job))
      .catch((error) => {
        throw unwritten(error)
      })
      .finally(() => {
        this.queued--
      })
    this.tell()
    return value
  }

  onCommit(heard: () => void) {
    this.listeners.add(heard)
    return () => this.listeners.delete(heard)
  }

  waiting() {
    return Math.min(this.queued, this.pool.waitingCount)
  }

  async close() {
    if (this.closed) return
    this.closed = true
    while (this.running.size) await Promise.allSettled(this.running)
    this.settled.close()
    await this.pool.end()
  }

  private tell() {
    for (const heard of this.listeners) heard()
  }

  private async run<T>(job: (client: PoolClient) => Promise<T>): Promise<T> {
    if (this.closed) throw new Error('The database was closed before this began')
    const running = this.tries(job)
    this.running.add(running)
    try {
      return await running
    } finally {
      this.running.delete(running)
    }
  }

  private async tries<T>(job: (client: PoolClient) => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried++)
      try {
        return await this.borrow(job)
      } catch (error) {
        const code = codeOf(error)
        if (tried === TRIES || !(RACES.has(code) || STALE.has(code))) throw error
        await Bun.sleep(Math.random() * 20 * tried)
      }
  }

  private async borrow<T>(job: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect().catch((error) => {
      throw unconnected(error)
    })
    let broken: Error | undefined
    const breaks = (error: Error) => {
      broken ??= error
    }
    client.on('error', breaks)
    let unfit = false
    try {
      return await job(client)
    } catch (error) {
      unfit = error instanceof Unfit || STALE.has(codeOf(error))
      if (error instanceof Fault) throw error
      if (broken) throw unreachable(broken)
      // Drizzle's own wrapping quotes every value, and those are nobody's business in a log.
      throw error instanceof DrizzleQueryError ? error.cause : error
    } finally {
      client.off('error', breaks)
      client.release(unfit || broken !== undefined)
    }
  }

  private async transact<T>(client: PoolClient, job: Job<T>): Promise<T> {
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED')
    try {
      const value = await inside.run(true, () => timely(client, job(this.handle(client))))
      if ((await committed(client)) === 'COMMIT') return value
    } catch (error) {
      if (!(error instanceof Unfit)) await undo(client)
      throw error
    }
    throw new Error('A write job went on after one of its statements had failed')
  }

  /** Statements are prepared once for each connection, so each keeps its handle. */
  private handle(client: PoolClient): Tx {
    const before = this.handles.get(client)
    if (before) return before
    const tx = drizzle({ client: named(client) as never }) as unknown as Tx
    this.handles.set(client, tx)
    settle(tx, this.settled)
    return tx
  }
}

function codeOf(error: unknown): string {
  const cause = error instanceof DrizzleQueryError ? error.cause : error
  return String((cause as { code?: unknown })?.code)
}

/** The server refuses in its own words; without an answer it is open what it did. */
async function committed(client: PoolClient): Promise<string> {
  try {
    return (await client.query('COMMIT')).command
  } catch (error) {
    if (error instanceof DatabaseError) throw error
    throw unconfirmed(unreachable(error as Error))
  }
}

/** A connection that cannot even do this has broken, and the server undoes what was begun on it. */
const undo = (client: PoolClient) => client.query('ROLLBACK').catch(() => {})

/** What hangs would keep its rows locked for everybody. */
async function timely<T>(client: PoolClient, job: Promise<T>): Promise<T> {
  const end = Promise.withResolvers<never>()
  const late = () => end.reject(new Unfit('A write job never settled'))
  const alarm = setTimeout(late, STUCK_MS)
  client.on('error', end.reject)
  try {
    return await Promise.race([job, end.promise])
  } finally {
    client.off('error', end.reject)
    clearTimeout(alarm)
  }
}
