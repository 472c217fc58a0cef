import type { Column } from 'drizzle-orm'

/** What a column holds, whatever engine keeps it. */
export type Kind = 'int' | 'real' | 'text' | 'bool' | 'json' | 'time'
type Engine = 'sqlite' | 'postgres'

/** As Drizzle and the engine call it: what `columns.ts` makes. */
const KINDS: Record<string, Kind> = {
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

export function kindOf(column: Column): Kind {
  const kind = KINDS[`${column.columnType} ${column.getSQLType()}`]
  if (kind) return kind
  throw new Error(
    `${column.name} is a ${column.columnType} ${column.getSQLType()}, which no backup knows`,
  )
}

/** A value that was read, as JSON keeps it. */
export const packed = (value: unknown): unknown =>
  value instanceof Date ? value.toISOString() : value

/** A value of a backup, as the engine's driver takes it. */
export function unpacked(kind: Kind, value: unknown, engine: Engine): unknown {
  if (value === null) return null
  if (kind === 'json') return JSON.stringify(value)
  if (engine === 'postgres') return value
  if (kind === 'bool') return value ? 1 : 0
  if (kind === 'time') return Date.parse(value as string)
  return value
}
