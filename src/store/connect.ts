import type { Duplex } from 'node:stream'
import pg, { type Pool, type PoolClient, type PoolConfig } from 'pg'
import { UnusableError } from './unusable.ts'

const DEFAULT_CONNECTIONS = 16
const TIMEOUT_MS = 10_000
/** For queries that are optional. */
const SHORT_TIMEOUT_MS = 1000
/** The minimum is PostgreSQL 13; other services with its protocol may report 11. */
const MIN_VERSION = 110_000
const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full', 'no-verify']
const MAX_NAME_LENGTH = 63

/** Opens a pool and checks that the server answers, is new enough and stores UTF-8. */
export async function connect(address: string): Promise<Pool> {
  const { location, config } = parseAddress(address)
  const pool = new pg.Pool(config)
  // An idle connection that breaks leaves the pool; the next job opens another.
  pool.on('error', () => {})
  try {
    const { rows } = await pool.query(
      "select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding",
    )
    checkServer(location, rows[0])
    return pool
  } catch (error) {
    await pool.end()
    throw error instanceof UnusableError ? error : toUnusable(location, error as Failure)
  }
}

/** A separate pool of one lazily opened connection, for statements with short timeouts. */
export function connectSeparately(address: string): Pool {
  const pool = new pg.Pool({
    ...parseAddress(address).config,
    max: 1,
    connectionTimeoutMillis: SHORT_TIMEOUT_MS,
    statement_timeout: SHORT_TIMEOUT_MS,
    query_timeout: SHORT_TIMEOUT_MS,
  })
  pool.on('error', () => {})
  return pool
}

/** A pool for a replica. A read that gets no connection in time goes to the primary. */
export function connectReplica(address: string): { name: string; pool: Pool } {
  const { location, config } = parseAddress(address, 'DATABASE_REPLICA_URLS')
  const { verify: _, ...common } = config
  const pool = new pg.Pool({
    ...common,
    connectionTimeoutMillis: SHORT_TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  })
  pool.on('error', () => {})
  // The statement that runs when a connection breaks fails too, and that error is handled.
  pool.on('connect', (client) => client.on('error', () => {}))
  return { name: location, pool }
}

export function parseAddress(
  address: string,
  variable = 'DATABASE_URL',
): { location: string; config: PoolConfig } {
  const url = URL.parse(address)
  if (!url || !/^postgres(ql)?:$/.test(url.protocol))
    throw new UnusableError(
      `${variable} must look like postgres://user:password@host:5432/database. Encode special characters in the password: %40 for @, %2F for / and so on.`,
    )
  const { searchParams } = url
  const pool = searchParams.get('pool') ?? String(DEFAULT_CONNECTIONS)
  if (!/^[1-9]\d{0,3}$/.test(pool))
    throw new UnusableError(
      `pool in ${variable} must be a whole number from 1 to 9999, not "${pool}"`,
    )
  searchParams.delete('pool')
  const mode = searchParams.get('sslmode')
  if (mode !== null && !SSL_MODES.includes(mode))
    throw new UnusableError(
      `sslmode in ${variable} must be one of ${SSL_MODES.join(', ')}, not "${mode}"`,
    )
  // Gives the modes the same meaning as in psql.
  if (mode !== null && mode !== 'no-verify') searchParams.set('uselibpqcompat', 'true')
  const config = {
    connectionString: url.href,
    max: Number(pool),
    application_name: 'corkboard',
    options: '-c timezone=UTC',
    connectionTimeoutMillis: TIMEOUT_MS,
    statement_timeout: TIMEOUT_MS,
    idle_in_transaction_session_timeout: TIMEOUT_MS,
    keepAlive: true,
    pipeline: true,
    verify: refuseStandby,
  }
  return { location: `${url.host}${url.pathname}`, config }
}

/** During a failover, a proxy may lead to a standby, which would return old data. */
function refuseStandby(client: PoolClient, done: (error?: Error) => void): void {
  client
    .query('select pg_is_in_recovery() as standby')
    .then(({ rows }) => done(rows[0].standby ? standbyError() : undefined), done)
}

const standbyError = () => Object.assign(new Error('The server is a standby'), { code: '25006' })

function checkServer(
  location: string,
  { version, encoding }: { version: string; encoding: string },
) {
  if (Number(version) < MIN_VERSION)
    throw new UnusableError(
      `The server at ${location} is PostgreSQL ${Math.floor(Number(version) / 10_000)}, which is too old. Use version 13 or newer.`,
    )
  if (encoding !== 'UTF8')
    throw new UnusableError(
      `The database at ${location} uses the encoding ${encoding}. Create one for Corkboard with: createdb --encoding=UTF8 --template=template0 NAME`,
    )
}

interface Failure extends Error {
  code?: string
}

const HINTS: Record<string, string> = {
  '28P01': 'Check the user and the password in DATABASE_URL',
  '28000': 'Check the user in DATABASE_URL, and that the server accepts it from this host',
  '3D000': 'Create it first, for instance with createdb, or correct the name in DATABASE_URL',
  '53300': 'Raise max_connections of the server, or add ?pool=8 to DATABASE_URL of each cork',
  '57P03': 'Wait until the server has started, then start again',
}

function toUnusable(location: string, error: Failure): UnusableError {
  const hint =
    HINTS[error.code ?? ''] ?? 'Check that the server runs and that DATABASE_URL is correct'
  return new UnusableError(`The database at ${location} cannot be used: ${reason(error)}. ${hint}.`)
}

/** If several addresses of a host fail, the combined error has no message. */
const reason = ({ message, code }: Failure) => message || code || 'no connection'

export const unreachableError = (cause: Failure) =>
  Object.assign(new Error('The database cannot be reached', { cause }), { code: 'UNREACHABLE' })

/** Why the pool gave no connection: all are in use, the server has no more, or it is down. */
export function connectionError(cause: Failure): Failure {
  // This error of the pool has no code.
  if (cause.message.startsWith('timeout exceeded'))
    return Object.assign(new Error('No connection became free in time', { cause }), {
      code: 'EXHAUSTED',
    })
  return /^(25006|53|57P)/.test(cause.code ?? '') ? cause : unreachableError(cause)
}

/**
 * Sends all statements of this turn of the event loop in one packet, because writing to the socket is
 * the most expensive part of a statement.
 */
export function sendTogether(client: PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection
  if (stream.writableCorked) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** Hashes long statement names: the server truncates them, so two names could become equal. */
export function withShortNames(client: PoolClient): Pick<PoolClient, 'query'> {
  const query = (config: { name?: string }, values: unknown) => {
    sendTogether(client)
    return client.query(shortenName(config) as never, values as never)
  }
  return { query: query as never }
}

function shortenName(config: { name?: string }) {
  const { name } = config
  if (!name || name.length <= MAX_NAME_LENGTH) return config
  return { ...config, name: new Bun.CryptoHasher('sha256').update(name).digest('base64url') }
}
