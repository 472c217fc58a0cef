import { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import type { Tx } from '../kernel/caller.ts'
import { isCurrent } from './known-migrations.ts'
import type { DatabaseLocation } from './open.ts'
import { UnusableError } from './unusable.ts'

/** A consistent view of the database at one moment, while others continue to write. */
export interface Snapshot {
  engine: 'sqlite' | 'postgres'
  tx: Tx
  /** Names of the applied migrations, in order. */
  migrations: string[]
  /** The last number of each table whose ids are generated. */
  sequences: Record<string, number>
  close(): Promise<void>
}

export const openSnapshot = ({ path, url }: DatabaseLocation): Promise<Snapshot> =>
  url ? snapshotPostgres(url) : snapshotSqlite(path)

/** Whether the schema is that of this program; only `empty` and `current` may be written to. */
export async function databaseState(
  location: DatabaseLocation,
): Promise<'empty' | 'current' | 'other'> {
  if (location.url ? await isEmptyDatabase(location.url) : !existsSync(location.path))
    return 'empty'
  const { engine, migrations, close } = await openSnapshot(location)
  await close()
  return isCurrent(engine, migrations) ? 'current' : 'other'
}

async function isEmptyDatabase(url: string): Promise<boolean> {
  const { connect } = await import('./connect.ts')
  const pool = await connect(url)
  try {
    const { rows } = await pool.query("select to_regclass('migrations') as there")
    return rows[0].there === null
  } finally {
    await pool.end()
  }
}

async function snapshotSqlite(path: string): Promise<Snapshot> {
  if (!existsSync(path))
    throw new UnusableError(
      `There is no database at ${path}. Set its folder with --data or CORK_DATA.`,
    )
  const database = new Database(path, { readonly: true })
  try {
    database.run('PRAGMA busy_timeout=5000')
    // In WAL mode the first read fixes what this connection sees, without blocking writers.
    database.run('BEGIN')
    const migrations = database
      .query<{ name: string }, []>('select name from migrations order by name')
      .all()
      .map(({ name }) => name)
    const counters = database
      .query<{ name: string; seq: number }, []>('select name, seq from sqlite_sequence')
      .all()
    return {
      engine: 'sqlite',
      tx: drizzle(database) as unknown as Tx,
      migrations,
      sequences: Object.fromEntries(counters.map(({ name, seq }) => [name, seq])),
      close: async () => database.close(),
    }
  } catch (error) {
    database.close()
    throw new UnusableError(
      `The database at ${path} cannot be read: ${(error as Error).message}. Run "cork doctor" to find out what is wrong.`,
    )
  }
}

/** The table and the last number of every identity column. */
const COUNTERS = `select t.relname as name, coalesce(pg_sequence_last_value(s.oid), 0) as seq
  from pg_class s
  join pg_depend d on d.objid = s.oid and d.deptype = 'i'
  join pg_class t on t.oid = d.refobjid
  where s.relkind = 'S' and t.relnamespace = current_schema()::regnamespace`

async function snapshotPostgres(url: string): Promise<Snapshot> {
  const [{ connect }, { drizzle: drizzlePostgres }] = await Promise.all([
    import('./connect.ts'),
    import('drizzle-orm/node-postgres'),
  ])
  const pool = await connect(url)
  const client = await pool.connect()
  const close = async () => {
    client.release(true)
    await pool.end()
  }
  try {
    await client.query('SET statement_timeout = 0')
    await client.query('SET idle_in_transaction_session_timeout = 0')
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const migrations = await client.query('select name from migrations order by name')
    const counters = await client.query(COUNTERS)
    return {
      engine: 'postgres',
      tx: drizzlePostgres(client) as unknown as Tx,
      migrations: migrations.rows.map(({ name }) => name),
      sequences: Object.fromEntries(counters.rows.map(({ name, seq }) => [name, Number(seq)])),
      close,
    }
  } catch (error) {
    await close()
    throw new UnusableError(
      `The database cannot be read: ${(error as Error).message}. Start the server on it once, or check DATABASE_URL.`,
    )
  }
}
