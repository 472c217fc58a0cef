import type { PoolClient } from 'pg'
import { toDriverValue } from './column-kinds.ts'
import { connect } from './connect.ts'
import type { Migration } from './migrations.ts'
import { type DatabaseRestore, quoteIdentifier, type TableShape } from './restore-sqlite.ts'
import { UnusableError } from './unusable.ts'

/** The protocol stores the number of values of a statement in 16 bits. */
const MAX_VALUES = 60_000
const MAX_ROWS = 500
const DISCONNECT_TIMEOUT_MS = 3000

export interface PostgresRestoreOptions {
  url: string
  migrations: Migration[]
  /** Replaces existing data; without it, only an unused database is filled. */
  force: boolean
  now: Date
}

/**
 * Like `restoreSqlite`, on a server. The tables are recreated and filled in one transaction, so
 * other connections see the old data until the end, and then all of the new data.
 */
export async function restorePostgres({
  url,
  migrations,
  force,
  now,
}: PostgresRestoreOptions): Promise<DatabaseRestore> {
  const pool = await connect(url)
  const client = await pool.connect()
  const disconnect = async () => {
    client.release(true)
    await pool.end()
  }
  try {
    await client.query('SET statement_timeout = 0')
    await client.query('SET idle_in_transaction_session_timeout = 0')
    await refuseIfServed(client)
    await client.query('BEGIN')
    await dropTables(client, force)
    await createTables(client, migrations, now)
  } catch (error) {
    await disconnect()
    if (error instanceof UnusableError) throw error
    throw new UnusableError(
      `The database cannot be replaced: ${(error as Error).message}. Nothing was changed. Check that its user owns it and may create tables.`,
    )
  }
  return {
    insert: (table, rows) => insertRows(client, table, rows),
    async finish(sequences) {
      await setSequences(client, sequences)
      await resetSweeps(client)
      await client.query('COMMIT')
      await disconnect()
    },
    // The server rolls back the transaction of a closed connection.
    abort: disconnect,
  }
}

/**
 * A running server would keep using the old tables and the old signing key. PostgreSQL lists the
 * connections of a process that has just ended for a moment, so they get time to disappear.
 */
async function refuseIfServed(client: PoolClient): Promise<void> {
  const until = Date.now() + DISCONNECT_TIMEOUT_MS
  let others = await countOthers(client)
  while (others && Date.now() < until) {
    await Bun.sleep(100)
    others = await countOthers(client)
  }
  if (others)
    throw new UnusableError(
      `Corkboard servers are connected to the database (${others} connections). Stop all of them first.`,
    )
}

async function countOthers(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ others: number }>(
    `select count(*)::int as others from pg_stat_activity
     where datname = current_database() and application_name = 'corkboard'
       and pid <> pg_backend_pid()`,
  )
  return rows[0]!.others
}

const TABLES = `select tablename as name from pg_tables where schemaname = current_schema()`

async function dropTables(client: PoolClient, force: boolean): Promise<void> {
  const { rows } = await client.query<{ name: string }>(TABLES)
  const names = rows.map(({ name }) => name)
  if (names.length && !names.includes('migrations'))
    throw new UnusableError(
      'The database contains tables of another program. Create one for Corkboard and set it in DATABASE_URL.',
    )
  const isUsed = names.includes('people')
    ? (await client.query('select 1 from people limit 1')).rows.length > 0
    : false
  if (isUsed && !force)
    throw new UnusableError(
      'The database is already in use. Stop all its servers and use --force to replace everything in it.',
    )
  if (names.length)
    await client.query(`drop table ${names.map(quoteIdentifier).join(', ')} cascade`)
}

async function createTables(client: PoolClient, migrations: Migration[], now: Date): Promise<void> {
  await client.query('create table migrations (name text primary key, applied_at bigint not null)')
  for (const { name, statements } of migrations) {
    await client.query('insert into migrations values ($1, $2)', [name, now.getTime()])
    for (const statement of statements) await client.query(statement)
  }
  // The backup also contains the rows that migrations insert.
  await client.query('delete from actors')
}

async function insertRows(
  client: PoolClient,
  { name, columns }: TableShape,
  rows: readonly unknown[][],
) {
  const names = columns.map((column) => quoteIdentifier(column.name)).join(', ')
  const maxRows = Math.min(MAX_ROWS, Math.floor(MAX_VALUES / columns.length))
  for (let from = 0; from < rows.length; from += maxRows) {
    const batch = rows.slice(from, from + maxRows)
    const placeholders = batch
      .map(
        (_, row) => `(${columns.map((_, at) => `$${row * columns.length + at + 1}`).join(', ')})`,
      )
      .join(', ')
    const values = batch.flatMap((row) =>
      columns.map(({ kind }, at) => toDriverValue(kind, row[at], 'postgres')),
    )
    await client.query(
      `insert into ${quoteIdentifier(name)} (${names}) values ${placeholders}`,
      values,
    )
  }
}

/**
 * The rows were inserted without side effects such as indexing, so all sweeps start again. The
 * schema of an older backup may have no table for sweeps.
 */
async function resetSweeps(client: PoolClient): Promise<void> {
  const { rows } = await client.query("select to_regclass('sweeps') as there")
  if (rows[0].there !== null) await client.query('delete from sweeps')
}

const IDENTITY_COLUMNS = `select table_name as table, column_name as column
  from information_schema.columns where is_identity = 'YES' and table_schema = current_schema()`

async function setSequences(client: PoolClient, sequences: Record<string, number>): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string }>(IDENTITY_COLUMNS)
  for (const { table, column } of rows) {
    const last = sequences[table] ?? 0
    await client.query('select setval(pg_get_serial_sequence($1, $2), $3, $4)', [
      quoteIdentifier(table),
      column,
      Math.max(last, 1),
      last > 0,
    ])
  }
}
