import type { Database } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Pool, PoolClient } from 'pg'
import { knownMigrations } from './known-migrations.ts'
import type { Migration } from './migrations.ts'
import { UnusableError } from './unusable.ts'

/** Applies pending migrations, after a backup of an existing database. */
export function migrate(
  database: Database,
  path: string,
  now: Date,
  migrations: readonly Migration[] = knownMigrations.sqlite,
): void {
  database.run(
    'create table if not exists migrations (name text primary key, applied_at integer not null)',
  )
  const applied = new Set(
    database
      .query<{ name: string }, []>('select name from migrations')
      .all()
      .map((row) => row.name),
  )
  const pending = pendingMigrations(migrations, applied, `The database at ${path}`)
  if (!pending.length) return
  if (applied.size) backup(database, path, pending[0]!.name, now)
  // With foreign keys on, rebuilding a table would delete the rows that refer to it.
  database.run('PRAGMA foreign_keys=OFF')
  for (const migration of pending) apply(database, migration, now)
  database.run('PRAGMA foreign_keys=ON')
}

function pendingMigrations(
  migrations: readonly Migration[],
  applied: Set<string>,
  subject: string,
) {
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = [...applied].find((name) => !known.has(name))
  if (unknown)
    throw new UnusableError(
      `${subject} was changed by a newer cork (migration ${unknown}). Start that version, or restore a backup made before it.`,
    )
  return migrations.filter(({ name }) => !applied.has(name))
}

function apply(database: Database, { name, statements }: Migration, now: Date) {
  database.transaction(() => {
    for (const statement of statements) database.run(statement)
    const broken = database.query('PRAGMA foreign_key_check').all()
    if (broken.length)
      throw new UnusableError(
        `Migration ${name} would break ${broken.length} references; nothing was changed.`,
      )
    database.run('insert into migrations values (?, ?)', [name, now.getTime()])
  })()
}

function backup(database: Database, path: string, before: string, now: Date) {
  if (path === ':memory:') return
  const folder = join(dirname(path), 'backups')
  mkdirSync(folder, { recursive: true })
  database.run('VACUUM INTO ?', [
    join(folder, `before-${before}-${now.toISOString().replaceAll(':', '-')}.db`),
  ])
}

/** Several servers may start and migrate at the same time. */
const MIGRATION_LOCK_ID = 7_261_936
const RACE_CODES = ['23505', '42P07', '42710', '40001', '40P01']
const MAX_ROUNDS = 50

/** Like `migrate`, on a server. Makes no backup; that is the operator's task. */
export async function migratePostgres(
  pool: Pool,
  now: Date,
  migrations: readonly Migration[] = knownMigrations.postgres,
): Promise<void> {
  try {
    if ((await pendingOnServer(pool, migrations)).length) await upgrade(pool, now, migrations)
  } catch (error) {
    if (error instanceof UnusableError) throw error
    throw new UnusableError(
      `The database could not be migrated to this version: ${(error as Error).message}. The migration was rolled back. Check that its user owns the database and may create tables in it.`,
    )
  }
}

async function pendingOnServer(connection: Pool | PoolClient, migrations: readonly Migration[]) {
  const { rows } = await connection.query("select to_regclass('migrations') as there")
  if (!rows[0].there) return migrations
  const applied = await connection.query<{ name: string }>('select name from migrations')
  return pendingMigrations(
    migrations,
    new Set(applied.rows.map(({ name }) => name)),
    'The database',
  )
}

async function upgrade(pool: Pool, now: Date, migrations: readonly Migration[]): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    // The lock only avoids conflicts, and not every service has it. A migration cannot be applied
    // twice because its unique name is inserted before its statements run.
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK_ID]).catch(() => {})
    for (let round = 1; await applyNext(client, migrations, now, round < MAX_ROUNDS); round++);
  } finally {
    client.release(true)
  }
}

/** Applies one migration; returns whether there may be more. */
async function applyNext(
  client: PoolClient,
  migrations: readonly Migration[],
  now: Date,
  mayRetry: boolean,
): Promise<boolean> {
  try {
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at bigint not null)',
    )
    const [next] = await pendingOnServer(client, migrations)
    if (!next) return false
    await applyOnServer(client, next, now)
  } catch (error) {
    // Another server was faster: check again what is pending.
    if (!mayRetry || !RACE_CODES.includes(String((error as { code?: string }).code))) throw error
    await Bun.sleep(20 + Math.random() * 80)
  }
  return true
}

async function applyOnServer(client: PoolClient, { name, statements }: Migration, now: Date) {
  await client.query('BEGIN')
  try {
    await client.query('insert into migrations values ($1, $2)', [name, now.getTime()])
    for (const statement of statements) await client.query(statement)
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}
