import { Column, getTableName, is, Param, Placeholder, SQL, Subquery } from 'drizzle-orm'
import type { Tx } from '../kernel/caller.ts'

interface Statement {
  values(...params: unknown[]): unknown[][]
  run(...params: unknown[]): unknown
}

interface Client {
  prepare(sql: string): Statement
}

/** The parts of Drizzle's prepared statement for SQLite that are used here. */
interface BuiltStatement {
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
 * Makes a statement run without planning it again each time and without looking up the decoder of
 * every value again. Both are more than half of the cost of a short query. Other statements, such
 * as those of other engines, stay unchanged. Without `tx`, for a statement that runs once, the plan
 * is not optimized.
 */
export function optimizeStatement<T>(statement: T, tx?: Tx): T {
  const built = statement as BuiltStatement
  const { fields, joinsNotNullableMap, executeMethod } = built
  if (!built.stmt || executeMethod === 'get') return statement
  const client = (tx as unknown as { $client: Client } | undefined)?.$client
  const stmt = client?.prepare(withStablePlan(built.query.sql)) ?? built.stmt
  const binders = built.query.params.map(binderOf)
  const bind = (values: Values = {}) => binders.map((binder) => binder(values))
  if (executeMethod === 'run' || !fields)
    built.execute = async (values) => stmt.run(...bind(values))
  else {
    const readRow = rowReader(fields, joinsNotNullableMap)
    built.execute = async (values) => stmt.values(...bind(values)).map(readRow)
  }
  return statement
}

/** SQLite plans again whenever a bare `?` gets a value, to use that value; `+?` prevents this. */
const withStablePlan = (sql: string) =>
  sql.replace(/"[^"]*"|'[^']*'|\?/g, (part) => (part === '?' ? '+?' : part))

function binderOf(param: unknown): (values: Values) => unknown {
  if (is(param, Placeholder)) return (values) => requireValue(values, param.name)
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param
  const { encoder, value } = param
  return (values) => encoder.mapToDriverValue(requireValue(values, value.name))
}

function requireValue(values: Values, name: string): unknown {
  if (name in values) return values[name]
  throw new Error(`The statement was given no ${name}`)
}

function rowReader(
  fields: NonNullable<BuiltStatement['fields']>,
  joined: BuiltStatement['joinsNotNullableMap'],
) {
  const columns = fields.map(({ path, field }) => ({ path, decoder: decoderOf(field) }))
  const optionalTables = joined ? optionalTablesOf(fields, joined) : []
  return (row: unknown[]): Values => {
    const record: Values = {}
    for (let index = 0; index < columns.length; index++) {
      const { path, decoder } = columns[index]!
      const raw = row[index]
      const value = raw === null || !decoder ? raw : decoder.mapFromDriverValue(raw)
      if (path.length === 1) record[path[0]!] = value
      else setPath(record, path, value)
    }
    for (const [name, index] of optionalTables) if (row[index] === null) record[name] = null
    return record
  }
}

/** For each left-joined table: its name and the index of the column that is null without a row. */
function optionalTablesOf(
  fields: NonNullable<BuiltStatement['fields']>,
  joined: Record<string, boolean>,
) {
  const firstColumns = new Map<string, number>()
  for (const [index, { path, field }] of fields.entries()) {
    const isOptional = is(field, Column) && joined[getTableName(field.table)] === false
    if (isOptional && path.length === 2 && !firstColumns.has(path[0]!))
      firstColumns.set(path[0]!, index)
  }
  return [...firstColumns]
}

function setPath(record: Values, path: readonly string[], value: unknown) {
  let node = record
  for (const name of path.slice(0, -1)) {
    node[name] ??= {}
    node = node[name] as Values
  }
  node[path.at(-1)!] = value
}

const passThrough = Column.prototype.mapFromDriverValue

/** Undefined if the driver's value is used as it is. */
function decoderOf(field: unknown): Decoder | undefined {
  if (is(field, Column)) return field.mapFromDriverValue === passThrough ? undefined : field
  const { decoder } = (is(field, SQL)
    ? field
    : is(field, Subquery)
      ? field._.sql
      : (field as SQL.Aliased).sql) as unknown as { decoder: Decoder }
  return decoder
}
