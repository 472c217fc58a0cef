import type { Database } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Pool, PoolClient } from 'pg'
import { migrationsOf } from './migrations.ts' with { type: 'macro' }
import type { Migration } from './migrations.ts'
import { Unusable } from './unusable.ts'

const shipped: readonly Migration[] = migrationsOf('sqlite')
const shippedToServers: readonly Migration[] = migrationsOf('postgres')

/** Brings a database up to this program, after a backup of what was there. */
export function migrate(
  database: Database,
  path: string,
  now: Date,
  migrations: readonly Migration[] = shipped,
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
  const pending = pendingOf(migrations, applied, `The database at ${path}`)
  if (!pending.length) return
  if (applied.size) backup(database, path, pending[0]!.name, now)
  // Rebuilding a table with foreign keys on would delete the rows that point to it.
  database.run('PRAGMA foreign_keys=OFF')
  for (const migration of pending) apply(database, migration, now)
  database.run('PRAGMA foreign_keys=ON')
}

function pendingOf(migrations: readonly Migration[], applied: Set<string>, what: string) {
  const known = new Set(migrations.map(({ name }) => name))
  const foreign = [...applied].find((name) => !known.has(name))
  if (foreign)
    throw new Unusable(
      `${what} was changed by a newer cork (migration ${foreign}). Start that version, or restore a backup made before it.`,
    )
  return migrations.filter(({ name }) => !applied.has(name))
}

function apply(database: Database, { name, statements }: Migration, now: Date) {
  database.transaction(() => {
    for (const statement of statements) database.run(statement)
    const broken = database.query('PRAGMA foreign_key_check').all()
    if (broken.length)
      throw new Unusable(
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

/** Several servers may start at once. */
const MEETING = 7_261_936
const ALREADY = ['23505', '42P07', '42710', '40001', '40P01']
const ROUNDS = 50

/** As `migrate`, on a server; it is for its operator to back that up. */
export async function migratePostgres(
  pool: Pool,
  now: Date,
  migrations: readonly Migration[] = shippedToServers,
): Promise<void> {
  try {
    if ((await pendingOn(pool, migrations)).length) await upgrade(pool, now, migrations)
  } catch (error) {
    if (error instanceof Unusable) throw error
    throw new Unusable(
      `The database could not be brought up to this version: ${(error as Error).message}. What was begun is undone. Check that its user owns the database and may create tables in it.`,
    )
  }
}

async function pendingOn(on: Pool | PoolClient, migrations: readonly Migration[]) {
  const { rows } = await on.query("select to_regclass('migrations') as there")
  if (!rows[0].there) return migrations
  const applied = await on.query<{ name: string }>('select name from migrations')
  return pendingOf(migrations, new Set(applied.rows.map(({ name }) => name)), 'The database')
}

async function upgrade(pool: Pool, now: Date, migrations: readonly Migration[]): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    // A courtesy where the engine has it. What keeps a migration from being applied twice is that
    // its name is written before its statements are run, and a name is written once.
    await client.query('select pg_advisory_lock($1)', [MEETING]).catch(() => {})
    for (let round = 1; await step(client, migrations, now, round < ROUNDS); round++);
  } finally {
    client.release(true)
  }
}

/** Answers whether there may be more to do. */
async function step(
  client: PoolClient,
  migrations: readonly Migration[],
  now: Date,
  patient: boolean,
): Promise<boolean> {
  try {
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at bigint not null)',
    )
    const [next] = await pendingOn(client, migrations)
    if (!next) return false
    await applyTo(client, next, now)
  } catch (error) {
    // Another server was quicker; see what is left.
    if (!patient || !ALREADY.includes(String((error as { code?: string }).code))) throw error
    await Bun.sleep(20 + Math.random() * 80)
  }
  return true
}

async function applyTo(client: PoolClient, { name, statements }: Migration, now: Date) {
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
