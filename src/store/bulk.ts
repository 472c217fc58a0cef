import { getTableColumns, getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '../kernel/caller.ts'
import { param } from './prepared.ts'

type Row = Record<string, unknown>
interface Statement {
  execute(values: Row): Promise<Row[]>
}

const ROWS = 50
/** Of the texts of one statement, unless one row alone has more. */
const LETTERS = 200_000

/**
 * Inserts many rows of a few tables, each statement built once for a number of rows. The rows of a
 * table all name the same columns. Answers the columns asked for of each row that was made.
 */
export class Inserter {
  private readonly statements = new Map<string, Statement>()

  /** `ready` is awaited before each statement. */
  constructor(
    readonly tx: Tx,
    readonly ready: () => Promise<void> = async () => {},
  ) {}

  async insert<T extends PgTable, N extends keyof T['$inferSelect'] & string>(
    table: T,
    rows: readonly T['$inferInsert'][],
    asked: readonly N[] = [],
  ): Promise<Pick<T['$inferSelect'], N>[]> {
    const made: Row[] = []
    for (const some of bundles(rows as readonly Row[])) {
      const values = some.flatMap((row, at) =>
        Object.entries(row).map(([name, value]) => [`${name}_${at}`, value] as const),
      )
      const statement = this.statementFor(table, Object.keys(some[0]!), some.length, asked)
      await this.ready()
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

function* bundles(rows: readonly Row[]): Generator<Row[]> {
  let some: Row[] = []
  let letters = 0
  for (const row of rows) {
    let more = 0
    for (const value of Object.values(row)) if (typeof value === 'string') more += value.length
    if (some.length === ROWS || (some.length && letters + more > LETTERS)) {
      yield some
      some = []
      letters = 0
    }
    some.push(row)
    letters += more
  }
  if (some.length) yield some
}
