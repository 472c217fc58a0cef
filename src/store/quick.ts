import { Column, getTableName, is, Param, Placeholder, SQL, Subquery } from 'drizzle-orm'
import type { Tx } from '../kernel/caller.ts'

interface Statement {
  values(...params: unknown[]): unknown[][]
  run(...params: unknown[]): unknown
}

interface Client {
  prepare(sql: string): Statement
}

/** A prepared statement of Drizzle's for SQLite, as far as it is used here. */
interface Built {
  stmt?: Statement
  query: { sql: string; params: unknown[] }
  fields?: { path: string[]; field: unknown }[]
  joinsNotNullableMap?: Record<string, boolean>
  executeMethod: 'run' | 'all' | 'get'
  execute(values?: Values): Promise<unknown>
}

type Values = Record<string, unknown>
type Decoder = { mapFromDriverValue(value: unknown): unknown }

/**
 * Lets a statement run without being planned anew each time, and without asking anew, for every
 * value of every row, what kind of value it is. That is more than half of what a short query
 * costs. Statements it does not know, other engines' among them, stay as they are; one that runs
 * only once is not worth planning for and gives no connection.
 */
export function quicken<T>(statement: T, tx?: Tx): T {
  const built = statement as Built
  const { fields, joinsNotNullableMap, executeMethod } = built
  if (!built.stmt || executeMethod === 'get') return statement
  const client = (tx as unknown as { $client: Client } | undefined)?.$client
  const stmt = client?.prepare(steady(built.query.sql)) ?? built.stmt
  const params = built.query.params.map(binder)
  const bound = (values: Values = {}) => params.map((param) => param(values))
  if (executeMethod === 'run' || !fields)
    built.execute = async (values) => stmt.run(...bound(values))
  else {
    const read = reader(fields, joinsNotNullableMap)
    built.execute = async (values) => stmt.values(...bound(values)).map(read)
  }
  return statement
}

/** SQLite plans again for a bare parameter whenever it is given a value, as it might guess better. */
const steady = (sql: string) =>
  sql.replace(/"[^"]*"|'[^']*'|\?/g, (part) => (part === '?' ? '+?' : part))

function binder(param: unknown): (values: Values) => unknown {
  if (is(param, Placeholder)) return (values) => given(values, param.name)
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param
  const { encoder, value } = param
  return (values) => encoder.mapToDriverValue(given(values, value.name))
}

function given(values: Values, name: string): unknown {
  if (name in values) return values[name]
  throw new Error(`The statement was given no ${name}`)
}

function reader(fields: NonNullable<Built['fields']>, joined: Built['joinsNotNullableMap']) {
  const cells = fields.map(({ path, field }) => ({ path, decoder: decoderOf(field) }))
  const absent = joined ? mayBeAbsent(fields, joined) : []
  return (row: unknown[]): Values => {
    const record: Values = {}
    for (let at = 0; at < cells.length; at++) {
      const { path, decoder } = cells[at]!
      const raw = row[at]
      const value = raw === null || !decoder ? raw : decoder.mapFromDriverValue(raw)
      if (path.length === 1) record[path[0]!] = value
      else place(record, path, value)
    }
    for (const [name, at] of absent) if (row[at] === null) record[name] = null
    return record
  }
}

/** Of a table that need not have a row to join, the first column tells whether it had one. */
function mayBeAbsent(fields: NonNullable<Built['fields']>, joined: Record<string, boolean>) {
  const first = new Map<string, number>()
  for (const [at, { path, field }] of fields.entries()) {
    const optional = is(field, Column) && joined[getTableName(field.table)] === false
    if (optional && path.length === 2 && !first.has(path[0]!)) first.set(path[0]!, at)
  }
  return [...first]
}

function place(record: Values, path: readonly string[], value: unknown) {
  let node = record
  for (const name of path.slice(0, -1)) {
    node[name] ??= {}
    node = node[name] as Values
  }
  node[path.at(-1)!] = value
}

const same = Column.prototype.mapFromDriverValue

/** Nothing where a value stays as the driver gives it. */
function decoderOf(field: unknown): Decoder | undefined {
  if (is(field, Column)) return field.mapFromDriverValue === same ? undefined : field
  const { decoder } = (is(field, SQL)
    ? field
    : is(field, Subquery)
      ? field._.sql
      : (field as SQL.Aliased).sql) as unknown as { decoder: Decoder }
  return decoder
}
