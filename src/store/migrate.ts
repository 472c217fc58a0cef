import type { Database } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { migrationsOf } from './migrations.ts' with { type: 'macro' }
import type { Migration } from './migrations.ts'

const shipped: readonly Migration[] = migrationsOf('sqlite')

export class Unusable extends Error {}

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
  const known = new Set(migrations.map(({ name }) => name))
  const foreign = [...applied].find((name) => !known.has(name))
  if (foreign)
    throw new Unusable(
      `The database at ${path} was changed by a newer cork (migration ${foreign}). Start that version, or restore a backup made before it.`,
    )
  const pending = migrations.filter(({ name }) => !applied.has(name))
  if (!pending.length) return
  if (applied.size) backup(database, path, pending[0]!.name, now)
  // Rebuilding a table with foreign keys on would delete the rows that point to it.
  database.run('PRAGMA foreign_keys=OFF')
  for (const migration of pending) apply(database, migration, now)
  database.run('PRAGMA foreign_keys=ON')
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
