import { Database } from 'bun:sqlite'
import { type ColumnKind, toDriverValue } from './column-kinds.ts'
import { migrate } from './migrate.ts'
import type { Migration } from './migrations.ts'
import { UnusableError } from './unusable.ts'

export interface TableShape {
  name: string
  columns: readonly { name: string; kind: ColumnKind }[]
}

/** A new database that is filled from a backup. It must not be used before `finish`. */
export interface DatabaseRestore {
  insert(table: TableShape, rows: readonly unknown[][]): Promise<void>
  /** Sets the last number of each sequence and checks the database. */
  finish(sequences: Record<string, number>): Promise<void>
  abort(): Promise<void>
}

export const quoteIdentifier = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Nobody reads the file before it is finished, so its writes need not survive a crash. */
export function restoreSqlite(path: string, migrations: Migration[], now: Date): DatabaseRestore {
  const database = new Database(path, { create: true, strict: true })
  database.run('PRAGMA journal_mode=MEMORY')
  database.run('PRAGMA synchronous=OFF')
  migrate(database, path, now, migrations)
  // The backup also contains the rows that migrations insert.
  database.run('delete from actors')
  database.run('PRAGMA foreign_keys=OFF')
  database.run('BEGIN')
  return {
    async insert({ name, columns }, rows) {
      const names = columns.map((column) => quoteIdentifier(column.name)).join(', ')
      const placeholders = columns.map(() => '?').join(', ')
      const statement = database.query(
        `insert into ${quoteIdentifier(name)} (${names}) values (${placeholders})`,
      )
      for (const row of rows)
        statement.run(
          ...columns.map(({ kind }, index) => toDriverValue(kind, row[index], 'sqlite') as never),
        )
    },
    async finish(sequences) {
      database.run('delete from sqlite_sequence')
      for (const [table, seq] of Object.entries(sequences))
        database.run('insert into sqlite_sequence (name, seq) values (?, ?)', [table, seq])
      database.run('COMMIT')
      const [firstError] = integrityErrors(database)
      if (firstError) throw new UnusableError(`The backup is inconsistent: ${firstError}`)
      // An older backup gets the newer migrations.
      migrate(database, path, now)
      // The rows were inserted without side effects such as indexing, so all sweeps start again.
      database.run('delete from sweeps')
      database.close()
    },
    abort: async () => database.close(),
  }
}

/** Errors of SQLite's integrity and foreign key checks; empty if there are none. */
export function integrityErrors(database: Database): string[] {
  const integrity = database
    .query<{ integrity_check: string }, []>('PRAGMA integrity_check(5)')
    .all()
    .map((row) => row.integrity_check)
    .filter((text) => text !== 'ok')
  const brokenReferences = database
    .query<{ table: string; parent: string }, []>('PRAGMA foreign_key_check')
    .all()
    .slice(0, 5)
    .map(
      ({ table, parent }) => `a row of ${table} refers to a row of ${parent} that does not exist`,
    )
  return [...integrity, ...brokenReferences]
}
