import { AsyncLocalStorage } from 'node:async_hooks'
import { DrizzleQueryError } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { DatabaseError, type Pool, type PoolClient } from 'pg'
import type { Clock, Tx } from '../kernel/caller.ts'
import { Fault } from '../kernel/fault.ts'
import { CommitOrder, setCommitOrder } from './commit-order.ts'
import {
  connect,
  connectionError,
  connectSeparately,
  sendTogether,
  unreachableError,
  withShortNames,
} from './connect.ts'
import { readError, unconfirmedError, writeError } from './errors.ts'
import { idempotent } from './idempotency.ts'
import { append } from './log.ts'
import { migratePostgres } from './migrate.ts'
import { Notifier } from './notifier.ts'
import { RateCounter } from './rate-counter.ts'
import { ReplicaSet } from './replicas.ts'
import { inSavepoint } from './savepoint.ts'
import { collectSent, send } from './send.ts'
import type { OpenStore } from './store.ts'

/** The server ends a transaction that is idle much sooner than this. */
const JOB_TIMEOUT_MS = 60_000
const MAX_TRIES = 6

/** Conflicts with a concurrent transaction. A retry succeeds or fails with a clear error. */
const RACE_CODES = new Set([
  '40001', // serialization failure
  '40P01', // deadlock
  '23505', // somebody inserted the same
  '23503', // somebody deleted what this refers to
])
/** The connection cannot be used any longer. A retry on another one may succeed. */
const UNFIT_CODES = new Set([
  '0A000', // its prepared statements are invalid
  '26000',
  '25006', // its server is not, or no longer, the primary
])

const insideWrite = new AsyncLocalStorage<true>()

/** The connection may still be busy, so it must not return to the pool. */
class UnfitConnection extends Error {}

/** A database server that other processes write to as well. Each job holds one connection. */
export async function openPostgres(
  url: string,
  clock: Clock,
  replicaUrls: readonly string[] = [],
): Promise<OpenStore> {
  const pool = await connect(url)
  try {
    await migratePostgres(pool, clock())
    const server = new PostgresStore(pool, await CommitOrder.open(pool))
    const rateCounter = new RateCounter(connectSeparately(url))
    const notifier = new Notifier(url)
    const replicas = replicaUrls.length ? new ReplicaSet(url, replicaUrls) : undefined
    return {
      append,
      idempotent,
      inSavepoint,
      read: (job) => server.read(job),
      write: (job) => server.write(job),
      onCommit: (listener) => server.onCommit(listener),
      queueLength: () => server.queueLength(),
      rateCounter,
      notifier,
      ...(replicas && { replicas }),
      async close() {
        await server.close()
        await rateCounter.close()
        await notifier.close()
        await replicas?.close()
      },
    }
  } catch (error) {
    await pool.end()
    throw error
  }
}

type Job<T> = (tx: Tx) => Promise<T>

class PostgresStore implements Omit<OpenStore, 'append' | 'idempotent' | 'inSavepoint'> {
  private readonly listeners = new Set<() => void>()
  private readonly running = new Set<Promise<unknown>>()
  private readonly handles = new WeakMap<PoolClient, Tx>()
  private queued = 0
  private closed = false

  constructor(
    private readonly pool: Pool,
    private readonly commitOrder: CommitOrder,
  ) {
    // The recheck may be scheduled within a write, and listeners begin writes of their own.
    commitOrder.onRecheck = () => insideWrite.exit(() => this.notifyListeners())
  }

  read<T>(job: Job<T>): Promise<T> {
    return this.run((client) => job(this.handleOf(client))).catch((error) => {
      throw readError(error)
    })
  }

  async write<T>(job: Job<T>): Promise<T> {
    if (insideWrite.getStore())
      throw new Error('A write began inside a write; pass its tx on instead')
    this.queued++
    const value = await this.run((client) => this.transact(client, job))
      .catch((error) => {
        throw writeError(error)
      })
      .finally(() => {
        this.queued--
      })
    this.notifyListeners()
    return value
  }

  onCommit(listener: () => void) {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  queueLength() {
    return Math.min(this.queued, this.pool.waitingCount)
  }

  async close() {
    if (this.closed) return
    this.closed = true
    while (this.running.size) await Promise.allSettled(this.running)
    this.commitOrder.close()
    await this.pool.end()
  }

  private notifyListeners() {
    for (const listener of this.listeners) listener()
  }

  private async run<T>(job: (client: PoolClient) => Promise<T>): Promise<T> {
    if (this.closed) throw new Error('The database was closed before this began')
    const running = this.retryRaces(job)
    this.running.add(running)
    try {
      return await running
    } finally {
      this.running.delete(running)
    }
  }

  private async retryRaces<T>(job: (client: PoolClient) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++)
      try {
        return await this.withConnection(job)
      } catch (error) {
        const code = codeOf(error)
        if (attempt === MAX_TRIES || !(RACE_CODES.has(code) || UNFIT_CODES.has(code))) throw error
        await Bun.sleep(Math.random() * 20 * attempt)
      }
  }

  private async withConnection<T>(job: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect().catch((error) => {
      throw connectionError(error)
    })
    let broken: Error | undefined
    const onError = (error: Error) => {
      broken ??= error
    }
    client.on('error', onError)
    let isUnfit = false
    try {
      return await job(client)
    } catch (error) {
      isUnfit = error instanceof UnfitConnection || UNFIT_CODES.has(codeOf(error))
      if (error instanceof Fault) throw error
      if (broken) throw unreachableError(broken)
      // Drizzle's own error quotes all values, which do not belong in a log.
      throw causeOf(error)
    } finally {
      client.off('error', onError)
      client.release(isUnfit || broken !== undefined)
    }
  }

  private async transact<T>(client: PoolClient, job: Job<T>): Promise<T> {
    const tx = this.handleOf(client)
    const sent = collectSent(tx)
    sendTogether(client)
    await send(tx, client.query('BEGIN ISOLATION LEVEL READ COMMITTED'))
    try {
      const value = await insideWrite.run(true, () => withTimeout(client, job(tx)))
      const committed = commit(client)
      await throwFirst([...sent, committed])
      if ((await committed) === 'COMMIT') return value
    } catch (error) {
      if (error instanceof UnfitConnection) throw error
      await rollback(client)
      await throwFirst(sent)
      throw error
    }
    throw new Error('A write job went on after one of its statements had failed')
  }

  /** Statements are prepared once per handle, so each connection keeps its handle. */
  private handleOf(client: PoolClient): Tx {
    const before = this.handles.get(client)
    if (before) return before
    const tx = drizzle({ client: withShortNames(client) as never }) as unknown as Tx
    this.handles.set(client, tx)
    setCommitOrder(tx, this.commitOrder)
    return tx
  }
}

const causeOf = (error: unknown) => (error instanceof DrizzleQueryError ? error.cause : error)
const codeOf = (error: unknown) => String((causeOf(error) as { code?: unknown })?.code)

/**
 * Throws the server's first error: after it, the server refuses all statements of the transaction.
 * If the connection broke, throws the last error: only that of the commit says that the write may
 * have been saved.
 */
async function throwFirst(statements: readonly Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(statements)
  const errors = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  const error = errors.find((one) => causeOf(one) instanceof DatabaseError) ?? errors.at(-1)
  if (error) throw error
}

/** If the server answers with an error, nothing was committed; without an answer it is unknown. */
async function commit(client: PoolClient): Promise<string> {
  try {
    return (await client.query('COMMIT')).command
  } catch (error) {
    if (error instanceof DatabaseError) throw error
    throw unconfirmedError(unreachableError(error as Error))
  }
}

/** Errors are ignored: if the connection is broken, the server rolls back by itself. */
const rollback = (client: PoolClient) => client.query('ROLLBACK').catch(() => {})

/** A job that hangs would keep its rows locked, so it is ended after a timeout. */
async function withTimeout<T>(client: PoolClient, job: Promise<T>): Promise<T> {
  const failure = Promise.withResolvers<never>()
  const onTimeout = () => failure.reject(new UnfitConnection('A write job never settled'))
  const timer = setTimeout(onTimeout, JOB_TIMEOUT_MS)
  client.on('error', failure.reject)
  try {
    return await Promise.race([job, failure.promise])
  } finally {
    client.off('error', failure.reject)
    clearTimeout(timer)
  }
}
