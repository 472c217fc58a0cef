import pg, { type Pool, type PoolClient, type PoolConfig } from 'pg'
import { Unusable } from './unusable.ts'

const CONNECTIONS = 16
const PATIENCE_MS = 10_000
/** For what can be done without. */
const IMPATIENCE_MS = 1000
/** What services that only speak the protocol may say they are; of PostgreSQL itself 13 is meant. */
const OLDEST = 110_000
const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full', 'no-verify']
const MOST_LETTERS = 63

/** Connections to a server that answers, knows us and can hold our data. */
export async function connect(address: string): Promise<Pool> {
  const { place, config } = read(address)
  const pool = new pg.Pool(config)
  // A connection that breaks while nobody uses it leaves the pool; the next job makes another.
  pool.on('error', () => {})
  try {
    const { rows } = await pool.query(
      "select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding",
    )
    check(place, rows[0])
    return pool
  } catch (error) {
    await pool.end()
    throw error instanceof Unusable ? error : unusable(place, error as Failure)
  }
}

/** One connection beside them, made when it is needed, for statements that wait for nobody. */
export function connectAside(address: string): Pool {
  const pool = new pg.Pool({
    ...read(address).config,
    max: 1,
    connectionTimeoutMillis: IMPATIENCE_MS,
    statement_timeout: IMPATIENCE_MS,
    query_timeout: IMPATIENCE_MS,
  })
  pool.on('error', () => {})
  return pool
}

function read(address: string): { place: string; config: PoolConfig } {
  const url = URL.parse(address)
  if (!url || !/^postgres(ql)?:$/.test(url.protocol))
    throw new Unusable(
      'DATABASE_URL must look like postgres://user:password@host:5432/database. Special characters in the password are written as %40 for @, %2F for / and so on.',
    )
  const { searchParams } = url
  const pool = searchParams.get('pool') ?? String(CONNECTIONS)
  if (!/^[1-9]\d{0,3}$/.test(pool))
    throw new Unusable(`pool in DATABASE_URL must be a whole number from 1 to 9999, not "${pool}"`)
  searchParams.delete('pool')
  const mode = searchParams.get('sslmode')
  if (mode !== null && !SSL_MODES.includes(mode))
    throw new Unusable(
      `sslmode in DATABASE_URL must be one of ${SSL_MODES.join(', ')}, not "${mode}"`,
    )
  // The modes mean what psql means by them.
  if (mode !== null && mode !== 'no-verify') searchParams.set('uselibpqcompat', 'true')
  const config = {
    connectionString: url.href,
    max: Number(pool),
    application_name: 'corkboard',
    options: '-c timezone=UTC',
    connectionTimeoutMillis: PATIENCE_MS,
    statement_timeout: PATIENCE_MS,
    idle_in_transaction_session_timeout: PATIENCE_MS,
    keepAlive: true,
  }
  return { place: `${url.host}${url.pathname}`, config }
}

function check(place: string, { version, encoding }: { version: string; encoding: string }) {
  if (Number(version) < OLDEST)
    throw new Unusable(
      `The server at ${place} is PostgreSQL ${Math.floor(Number(version) / 10_000)}, which is too old. Use version 13 or newer.`,
    )
  if (encoding !== 'UTF8')
    throw new Unusable(
      `The database at ${place} keeps text as ${encoding}. Create one for Corkboard with: createdb --encoding=UTF8 --template=template0 NAME`,
    )
}

interface Failure extends Error {
  code?: string
}

const HELP: Record<string, string> = {
  '28P01': 'Check the user and the password in DATABASE_URL',
  '28000': 'Check the user in DATABASE_URL, and that the server lets it in from here',
  '3D000': 'Create it first, for instance with createdb, or correct the name in DATABASE_URL',
  '53300': 'Raise max_connections of the server, or add ?pool=8 to DATABASE_URL of each cork',
  '57P03': 'Wait until the server has started, then start again',
}

function unusable(place: string, error: Failure): Unusable {
  const help = HELP[error.code ?? ''] ?? 'Check that the server runs and that DATABASE_URL is right'
  return new Unusable(`The database at ${place} cannot be used: ${reason(error)}. ${help}.`)
}

/** Several addresses tried in vain come as one error without words. */
const reason = ({ message, code }: Failure) => message || code || 'no connection'

export const unreachable = (cause: Failure) =>
  Object.assign(new Error('The database cannot be reached', { cause }), { code: 'UNREACHABLE' })

/** Why a pool lent no connection: its own are all in use, or the server gives no more, or none. */
export function unconnected(cause: Failure): Failure {
  // The pool's own words, which come without a code.
  if (cause.message.startsWith('timeout exceeded'))
    return Object.assign(new Error('No connection became free in time', { cause }), {
      code: 'EXHAUSTED',
    })
  return /^5(3|7P)/.test(cause.code ?? '') ? cause : unreachable(cause)
}

/** The server cuts longer names off, and two that were one from then on would be mixed up. */
export function named(client: PoolClient): Pick<PoolClient, 'query'> {
  const query = (config: { name?: string }, values: unknown) =>
    client.query(short(config) as never, values as never)
  return { query: query as never }
}

function short(config: { name?: string }) {
  const { name } = config
  if (!name || name.length <= MOST_LETTERS) return config
  return { ...config, name: new Bun.CryptoHasher('sha256').update(name).digest('base64url') }
}
