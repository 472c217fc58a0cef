import type { PgColumn as Column } from 'drizzle-orm/pg-core'
import { fault } from '../kernel/fault.ts'

/** The sort value of the last row of a page; the next page begins after it. */
export type CursorValue = string | number | Date | null

/** A cursor is JSON, which has no dates, so texts and dates get a prefix. */
export const encodeCursorValue = (value: unknown) =>
  value instanceof Date
    ? `t${value.getTime()}`
    : typeof value === 'string'
      ? `s${value}`
      : (value as number | null)

/** Rejects values that the column cannot hold, because the database would fail on them. */
export function decodeCursorValue(value: unknown, column: Column): CursorValue {
  const decoded = parseValue(value)
  if (isColumnValue(decoded, column)) return decoded as CursorValue
  throw fault.invalid('cursor', 'invalid_format', 'cursor must be the next_cursor of a list', value)
}

const parseValue = (value: unknown): unknown =>
  typeof value !== 'string'
    ? value
    : value[0] === 't'
      ? new Date(Number(value.slice(1)))
      : value.slice(1)

const MAX_INTEGER = 2 ** 31

function isColumnValue(value: unknown, column: Column): boolean {
  if (value === null) return true
  const type = column.getSQLType()
  const isText = type.startsWith('text')
  const isPlain = !column.columnType.endsWith('CustomColumn')
  if (typeof value === 'string') return isText && !value.includes('\0')
  if (value instanceof Date) return !isText && !isPlain && !Number.isNaN(value.getTime())
  if (typeof value !== 'number' || isText || !isPlain) return false
  if (type === 'real' || type === 'double precision') return Number.isFinite(value)
  return Number.isInteger(value) && Math.abs(value) < MAX_INTEGER
}
