import { Database } from 'bun:sqlite'
import { type Kind, unpacked } from './kinds.ts'
import { migrate } from './migrate.ts'
import type { Migration } from './migrations.ts'
import { Unusable } from './unusable.ts'

export interface Shape {
  name: string
  columns: readonly { name: string; kind: Kind }[]
}

/** An empty database that is filled from a backup, and counts only once it is finished. */
export interface Rebuild {
  insert(shape: Shape, rows: readonly unknown[][]): Promise<void>
  /** Sets what each growing number goes on from, and checks the whole. */
  finish(sequences: Record<string, number>): Promise<void>
  abandon(): Promise<void>
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Nobody looks at the file before it is finished, so nothing of it need survive a crash. */
export function rebuildSqlite(path: string, migrations: Migration[], now: Date): Rebuild {
  const database = new Database(path, { create: true, strict: true })
  database.run('PRAGMA journal_mode=MEMORY')
  database.run('PRAGMA synchronous=OFF')
  migrate(database, path, now, migrations)
  // What migrations put there comes with the backup too.
  database.run('delete from actors')
  database.run('PRAGMA foreign_keys=OFF')
  database.run('BEGIN')
  return {
    async insert({ name, columns }, rows) {
      const names = columns.map((column) => quoted(column.name)).join(', ')
      const marks = columns.map(() => '?').join(', ')
      const into = database.query(`insert into ${quoted(name)} (${names}) values (${marks})`)
      for (const row of rows)
        into.run(...columns.map(({ kind }, at) => unpacked(kind, row[at], 'sqlite') as never))
    },
    async finish(sequences) {
      database.run('delete from sqlite_sequence')
      for (const [table, seq] of Object.entries(sequences))
        database.run('insert into sqlite_sequence (name, seq) values (?, ?)', [table, seq])
      database.run('COMMIT')
      const [ailment] = ailments(database)
      if (ailment) throw new Unusable(`The backup does not fit together: ${ailment}`)
      // Brings an older one up to this program.
      migrate(database, path, now)
      // The rows came past what follows the writing of them.
      database.run('delete from sweeps')
      database.close()
    },
    abandon: async () => database.close(),
  }
}

/** What is wrong inside a database file; nothing when all is well. */
export function ailments(database: Database): string[] {
  const integrity = database
    .query<{ integrity_check: string }, []>('PRAGMA integrity_check(5)')
    .all()
    .map((row) => row.integrity_check)
    .filter((text) => text !== 'ok')
  const broken = database
    .query<{ table: string; parent: string }, []>('PRAGMA foreign_key_check')
    .all()
    .slice(0, 5)
    .map(({ table, parent }) => `a row of ${table} refers to a row of ${parent} that is not there`)
  return [...integrity, ...broken]
}
