import type { Column } from 'drizzle-orm'

/** The type of a column, independent of the engine. */
export type ColumnKind = 'int' | 'real' | 'text' | 'bool' | 'json' | 'time'
type Engine = 'sqlite' | 'postgres'

/** Keys are Drizzle's column type and the SQL type of the columns that `columns.ts` creates. */
const KINDS: Record<string, ColumnKind> = {
  'SQLiteInteger integer': 'int',
  'SQLiteBoolean integer': 'bool',
  'SQLiteReal real': 'real',
  'SQLiteText text': 'text',
  'SQLiteCustomColumn text': 'json',
  'SQLiteCustomColumn integer': 'time',
  'PgInteger integer': 'int',
  'PgBigInt53 bigint': 'int',
  'PgBoolean boolean': 'bool',
  'PgDoublePrecision double precision': 'real',
  'PgText text': 'text',
  'PgCustomColumn text COLLATE "C"': 'text',
  'PgCustomColumn json': 'json',
  'PgCustomColumn timestamp (3) with time zone': 'time',
}

export function kindOf(column: Column): ColumnKind {
  const kind = KINDS[`${column.columnType} ${column.getSQLType()}`]
  if (kind) return kind
  throw new Error(
    `${column.name} is a ${column.columnType} ${column.getSQLType()}, which no backup knows`,
  )
}

/** Converts a value from the database for a JSON backup. */
export const toJsonValue = (value: unknown): unknown =>
  value instanceof Date ? value.toISOString() : value

/** Converts a value of a backup for the database driver. */
export function toDriverValue(kind: ColumnKind, value: unknown, engine: Engine): unknown {
  if (value === null) return null
  if (kind === 'json') return JSON.stringify(value)
  if (engine === 'postgres') return value
  if (kind === 'bool') return value ? 1 : 0
  if (kind === 'time') return Date.parse(value as string)
  return value
}
