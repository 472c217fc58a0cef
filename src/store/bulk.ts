import { Database } from 'bun:sqlite'
import { getTableColumns, getTableName } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '../kernel/caller.ts'
import type { Where } from './open.ts'
import { param } from './prepared.ts'

/**
 * One long transaction on a connection of its own, for a process that does nothing else. On SQLite
 * whoever else writes waits for it.
 */
export const inBulk = <T>({ path, url }: Where, job: (tx: Tx) => Promise<T>): Promise<T> =>
  url ? onServer(url, job) : inFile(path, job)

async function inFile<T>(path: string, job: (tx: Tx) => Promise<T>): Promise<T> {
  const database = new Database(path, { strict: true })
  try {
    database.run('PRAGMA busy_timeout=10000')
    database.run('PRAGMA synchronous=FULL')
    database.run('PRAGMA foreign_keys=ON')
    database.run('BEGIN IMMEDIATE')
    const made = await job(drizzle(database) as unknown as Tx)
    database.run('COMMIT')
    return made
  } finally {
    // Undoes what was not committed.
    database.close()
  }
}

async function onServer<T>(url: string, job: (tx: Tx) => Promise<T>): Promise<T> {
  const [{ connect }, { drizzle: over }] = await Promise.all([
    import('./connect.ts'),
    import('drizzle-orm/node-postgres'),
  ])
  const pool = await connect(url)
  const client = await pool.connect()
  try {
    await client.query('SET statement_timeout = 0')
    await client.query('SET idle_in_transaction_session_timeout = 0')
    await client.query('BEGIN')
    const made = await job(over(client) as unknown as Tx)
    await client.query('COMMIT')
    return made
  } finally {
    client.release(true)
    await pool.end()
  }
}

type Row = Record<string, unknown>
interface Statement {
  execute(values: Row): Promise<Row[]>
}

const ROWS = 50

/**
 * Inserts many rows of a few tables, each statement built once for a number of rows. The rows of a
 * table all name the same columns. Answers the columns asked for of each row that was made.
 */
export class Inserter {
  private readonly statements = new Map<string, Statement>()

  constructor(private readonly tx: Tx) {}

  async insert<T extends PgTable, N extends keyof T['$inferSelect'] & string>(
    table: T,
    rows: readonly T['$inferInsert'][],
    asked: readonly N[] = [],
  ): Promise<Pick<T['$inferSelect'], N>[]> {
    const made: Row[] = []
    for (let from = 0; from < rows.length; from += ROWS) {
      const some = rows.slice(from, from + ROWS) as Row[]
      const values = some.flatMap((row, at) =>
        Object.entries(row).map(([name, value]) => [`${name}_${at}`, value] as const),
      )
      const statement = this.statementFor(table, Object.keys(some[0]!), some.length, asked)
      const answer = await statement.execute(Object.fromEntries(values))
      if (asked.length) made.push(...answer)
    }
    return made as Pick<T['$inferSelect'], N>[]
  }

  private statementFor(
    table: PgTable,
    names: readonly string[],
    rows: number,
    asked: readonly string[],
  ): Statement {
    const key = `bulk_${getTableName(table)}_${rows}`
    const known = this.statements.get(key)
    if (known) return known
    const marks = Array.from({ length: rows }, (_, at) =>
      Object.fromEntries(names.map((name) => [name, param(`${name}_${at}`)])),
    )
    const insert = this.tx.insert(table).values(marks as never)
    const columns = getTableColumns(table)
    const wanted = Object.fromEntries(asked.map((name) => [name, columns[name]!]))
    const made = asked.length ? insert.returning(wanted).prepare(key) : insert.prepare(key)
    this.statements.set(key, made as unknown as Statement)
    return made as unknown as Statement
  }
}
