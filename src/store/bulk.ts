import { getTableColumns, getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '../kernel/caller.ts'
import { param } from './prepared.ts'

type Row = Record<string, unknown>
interface Statement {
  execute(values: Row): Promise<Row[]>
}

const MAX_ROWS = 50
/** Limit for all texts of one statement; a single row may exceed it. */
const MAX_CHARS = 200_000

/**
 * Inserts many rows into a few tables, with one prepared statement per table and batch size. All
 * rows of a table must have the same columns. Returns the requested columns of each new row.
 */
export class Inserter {
  private readonly statements = new Map<string, Statement>()

  /** `beforeStatement` is awaited before each statement. */
  constructor(
    readonly tx: Tx,
    readonly beforeStatement: () => Promise<void> = async () => {},
  ) {}

  async insert<T extends PgTable, N extends keyof T['$inferSelect'] & string>(
    table: T,
    rows: readonly T['$inferInsert'][],
    returning: readonly N[] = [],
  ): Promise<Pick<T['$inferSelect'], N>[]> {
    const inserted: Row[] = []
    for (const batch of batches(rows as readonly Row[])) {
      const values = batch.flatMap((row, at) =>
        Object.entries(row).map(([name, value]) => [`${name}_${at}`, value] as const),
      )
      const statement = this.statementFor(table, Object.keys(batch[0]!), batch.length, returning)
      await this.beforeStatement()
      const returned = await statement.execute(Object.fromEntries(values))
      if (returning.length) inserted.push(...returned)
    }
    return inserted as Pick<T['$inferSelect'], N>[]
  }

  private statementFor(
    table: PgTable,
    names: readonly string[],
    rows: number,
    returning: readonly string[],
  ): Statement {
    const key = `bulk_${getTableName(table)}_${rows}`
    const known = this.statements.get(key)
    if (known) return known
    const placeholders = Array.from({ length: rows }, (_, at) =>
      Object.fromEntries(names.map((name) => [name, param(`${name}_${at}`)])),
    )
    const insert = this.tx.insert(table).values(placeholders as never)
    const columns = getTableColumns(table)
    const returningColumns = Object.fromEntries(returning.map((name) => [name, columns[name]!]))
    const statement = returning.length
      ? insert.returning(returningColumns).prepare(key)
      : insert.prepare(key)
    this.statements.set(key, statement as unknown as Statement)
    return statement as unknown as Statement
  }
}

function* batches(rows: readonly Row[]): Generator<Row[]> {
  let batch: Row[] = []
  let batchChars = 0
  for (const row of rows) {
    let rowChars = 0
    for (const value of Object.values(row)) if (typeof value === 'string') rowChars += value.length
    if (batch.length === MAX_ROWS || (batch.length && batchChars + rowChars > MAX_CHARS)) {
      yield batch
      batch = []
      batchChars = 0
    }
    batch.push(row)
    batchChars += rowChars
  }
  if (batch.length) yield batch
}
