import { DrizzleQueryError } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { Pool, PoolClient } from 'pg'
import type { Tx } from '../kernel/caller.ts'
import type { Replicas } from '../kernel/dispatch.ts'
import { primaryOnly, setCommitOrder } from './commit-order.ts'
import { connectReplica, connectSeparately, withShortNames } from './connect.ts'
import { PrimaryPosition } from './primary-position.ts'

/** The timeline is that of the last restart point. Until the first on a new one, it is too low. */
const REPLICA_POSITION = `select lpad(to_hex(timeline_id), 8, '0')
    || lpad(to_hex((pg_last_wal_replay_lsn() - '0/0')::bigint), 16, '0') as position
  from pg_control_checkpoint(), pg_control_system()
  where pg_is_in_recovery() and system_identifier::text = $1`

/** A replica that lags further behind is not used: access may have been revoked since. */
const MAX_LAG_MS = 5000
const CHECK_TIMEOUT_MS = 1000
/** How long a connection is used without a check whether its server is still a replica. */
const CHECK_MS = 1000
const RETRY_MS = 2000

type Job<T> = (tx: Tx) => Promise<T>

/** The state of a replica, for the operator. */
export interface ReplicaState {
  name: string
  /** Bytes of the write-ahead log that it lacks; undefined if it cannot be used. */
  lagBytes: number | undefined
}

/** Read-only copies of the primary. */
export class ReplicaSet implements Replicas {
  private readonly primary: PrimaryPosition
  private readonly replicas: Replica[]
  private turn = 0
  private closing: Promise<unknown> | undefined

  constructor(primaryUrl: string, urls: readonly string[], maxLagMs = MAX_LAG_MS) {
    const connections = urls.map(connectReplica)
    this.primary = new PrimaryPosition(connectSeparately(primaryUrl), maxLagMs)
    this.replicas = connections.map(({ name, pool }) => new Replica(name, pool, this.primary))
  }

  async read<T>(position: string, job: Job<T>): Promise<T> {
    const recent = await this.primary.recent()
    const required = position > recent ? position : recent
    const start = this.turn++
    for (let at = 0; at < this.replicas.length; at++) {
      const replica = this.replicas[(start + at) % this.replicas.length]!
      const result = await replica.read(required, job)
      if (result) return result.value
    }
    throw new Error('No replica has reached the position')
  }

  position(): Promise<string> {
    return this.primary.current()
  }

  async states(): Promise<ReplicaState[]> {
    const primary = await this.primary.current()
    return Promise.all(
      this.replicas.map(async (replica) => {
        const position = await replica.position()
        const lagBytes = position ? Math.max(0, lsnOf(primary) - lsnOf(position)) : undefined
        return { name: replica.name, lagBytes }
      }),
    )
  }

  async close() {
    this.closing ??= Promise.all([this.primary, ...this.replicas].map((part) => part.close()))
    await this.closing
  }
}

const lsnOf = (position: string) => Number.parseInt(position.slice(8), 16)

class Replica {
  /** A server only moves forward, so a connection never falls behind what it has reached. */
  private readonly reached = new WeakMap<PoolClient, { position: string; checkedAt: number }>()
  private readonly handles = new WeakMap<PoolClient, Tx>()
  private isAvailable = true
  private isClosed = false
  private retry: Timer | undefined

  constructor(
    readonly name: string,
    private readonly pool: Pool,
    private readonly primary: PrimaryPosition,
  ) {}

  /** Undefined if the replica cannot be used or has not reached the position. */
  async read<T>(required: string, job: Job<T>): Promise<{ value: T } | undefined> {
    const client = this.isAvailable && (await this.connect((client) => this.has(client, required)))
    if (!client) return undefined
    try {
      const value = await job(this.handleOf(client))
      client.release()
      return { value }
    } catch (error) {
      // After a timeout the connection is still busy.
      client.release(error instanceof DrizzleQueryError)
      throw error
    }
  }

  /** The position now; undefined if the replica cannot be used. */
  async position(): Promise<string | undefined> {
    let position: string | undefined
    const client = await this.connect(async (client) => {
      position = await this.readPosition(client)
      return true
    })
    client?.release()
    return position
  }

  async close() {
    this.isClosed = true
    clearTimeout(this.retry)
    await this.pool.end()
  }

  /** A connection that passes the check. If the server fails, it is left out for a while. */
  private async connect(check: (client: PoolClient) => Promise<boolean>) {
    let client: PoolClient | undefined
    try {
      client = await this.pool.connect()
      const isFit = await check(client)
      this.isAvailable = true
      if (isFit) return client
      client.release()
    } catch {
      client?.release(true)
      this.leaveOut()
    }
    return undefined
  }

  private async has(client: PoolClient, required: string): Promise<boolean> {
    const reached = this.reached.get(client)
    const isChecked = reached && performance.now() - reached.checkedAt < CHECK_MS
    if (isChecked && reached.position >= required) return true
    return (await this.readPosition(client)) >= required
  }

  private async readPosition(client: PoolClient): Promise<string> {
    const checkedAt = performance.now()
    const query = {
      name: 'replica_position',
      text: REPLICA_POSITION,
      values: [this.primary.cluster],
      query_timeout: CHECK_TIMEOUT_MS,
    }
    const { rows } = await client.query<{ position: string }>(query)
    const position = rows[0]?.position
    if (!position) throw new Error('The server is not a replica of the primary')
    this.reached.set(client, { position, checkedAt })
    return position
  }

  private leaveOut() {
    this.isAvailable = false
    if (this.isClosed) return
    this.retry ??= setTimeout(() => {
      this.retry = undefined
      void this.position()
    }, RETRY_MS)
    this.retry.unref()
  }

  private handleOf(client: PoolClient): Tx {
    const before = this.handles.get(client)
    if (before) return before
    const tx = drizzle({ client: withShortNames(client) as never }) as unknown as Tx
    this.handles.set(client, tx)
    setCommitOrder(tx, primaryOnly)
    return tx
  }
}
