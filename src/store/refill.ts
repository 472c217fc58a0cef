import type { PoolClient } from 'pg'
import { connect } from './connect.ts'
import { unpacked } from './kinds.ts'
import type { Migration } from './migrations.ts'
import { quoted, type Rebuild, type Shape } from './rebuild.ts'
import { Unusable } from './unusable.ts'

/** The protocol counts the values of one statement with 16 bits. */
const MOST_VALUES = 60_000
const MOST_ROWS = 500

export interface Refill {
  url: string
  migrations: Migration[]
  /** Replaces what is there; otherwise only an empty database is filled. */
  force: boolean
  now: Date
}

/**
 * As `rebuildSqlite`, on a server: its tables are made anew and filled in one transaction, so that
 * until the end everybody sees what was there before, and afterwards all of the new.
 */
export async function refill({ url, migrations, force, now }: Refill): Promise<Rebuild> {
  const pool = await connect(url)
  const client = await pool.connect()
  const leave = async () => {
    client.release(true)
    await pool.end()
  }
  try {
    await client.query('SET statement_timeout = 0')
    await client.query('SET idle_in_transaction_session_timeout = 0')
    await refuseServed(client)
    await client.query('BEGIN')
    await clear(client, force)
    await prepare(client, migrations, now)
  } catch (error) {
    await leave()
    if (error instanceof Unusable) throw error
    throw new Unusable(
      `The database cannot be replaced: ${(error as Error).message}. Nothing was changed. Check that its user owns it and may create tables.`,
    )
  }
  return {
    insert: (shape, rows) => insert(client, shape, rows),
    async finish(sequences) {
      await number(client, sequences)
      await sweepAnew(client)
      await client.query('COMMIT')
      await leave()
    },
    // The server undoes what was begun on a connection that is gone.
    abandon: leave,
  }
}

/** A server that runs on knows the old tables and signs with the old key. */
async function refuseServed(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ others: number }>(
    `select count(*)::int as others from pg_stat_activity
     where datname = current_database() and application_name = 'corkboard'
       and pid <> pg_backend_pid()`,
  )
  const { others } = rows[0]!
  if (others)
    throw new Unusable(
      `Servers of Corkboard are connected to the database (${others} connections). Stop every one of them first.`,
    )
}

const TABLES = `select tablename as name from pg_tables where schemaname = current_schema()`

async function clear(client: PoolClient, force: boolean): Promise<void> {
  const { rows } = await client.query<{ name: string }>(TABLES)
  const names = rows.map(({ name }) => name)
  if (names.length && !names.includes('migrations'))
    throw new Unusable(
      'The database holds tables of another program. Create one for Corkboard and name it in DATABASE_URL.',
    )
  const used = names.includes('people')
    ? (await client.query('select 1 from people limit 1')).rows.length > 0
    : false
  if (used && !force)
    throw new Unusable(
      'The database is in use already. Stop every server on it and give --force to replace all that it holds.',
    )
  if (names.length) await client.query(`drop table ${names.map(quoted).join(', ')} cascade`)
}

async function prepare(client: PoolClient, migrations: Migration[], now: Date): Promise<void> {
  await client.query('create table migrations (name text primary key, applied_at bigint not null)')
  for (const { name, statements } of migrations) {
    await client.query('insert into migrations values ($1, $2)', [name, now.getTime()])
    for (const statement of statements) await client.query(statement)
  }
  // What migrations put there comes with the backup too.
  await client.query('delete from actors')
}

async function insert(client: PoolClient, { name, columns }: Shape, rows: readonly unknown[][]) {
  const names = columns.map((column) => quoted(column.name)).join(', ')
  const most = Math.min(MOST_ROWS, Math.floor(MOST_VALUES / columns.length))
  for (let from = 0; from < rows.length; from += most) {
    const some = rows.slice(from, from + most)
    const marks = some
      .map(
        (_, row) => `(${columns.map((_, at) => `$${row * columns.length + at + 1}`).join(', ')})`,
      )
      .join(', ')
    const values = some.flatMap((row) =>
      columns.map(({ kind }, at) => unpacked(kind, row[at], 'postgres')),
    )
    await client.query(`insert into ${quoted(name)} (${names}) values ${marks}`, values)
  }
}

/** The rows came past what follows the writing of them; an older database has nothing of it. */
async function sweepAnew(client: PoolClient): Promise<void> {
  const { rows } = await client.query("select to_regclass('sweeps') as there")
  if (rows[0].there !== null) await client.query('delete from sweeps')
}

const NUMBERED = `select table_name as table, column_name as column
  from information_schema.columns where is_identity = 'YES' and table_schema = current_schema()`

async function number(client: PoolClient, sequences: Record<string, number>): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string }>(NUMBERED)
  for (const { table, column } of rows) {
    const last = sequences[table] ?? 0
    await client.query('select setval(pg_get_serial_sequence($1, $2), $3, $4)', [
      quoted(table),
      column,
      Math.max(last, 1),
      last > 0,
    ])
  }
}
