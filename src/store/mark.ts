import type { PgColumn as Column } from 'drizzle-orm/pg-core'
import { fault } from '../kernel/fault.ts'

/** The value that a list is sorted by, of the row after which the next page begins. */
export type Mark = string | number | Date | null

/** A cursor is JSON, which has no dates. */
export const pack = (value: unknown) =>
  value instanceof Date
    ? `t${value.getTime()}`
    : typeof value === 'string'
      ? `s${value}`
      : (value as number | null)

/** Refuses what no row of that column could have given: an engine would fail at it. */
export function unpack(value: unknown, column: Column): Mark {
  const mark = unpacked(value)
  if (fits(mark, column)) return mark as Mark
  throw fault.invalid('cursor', 'invalid_format', 'cursor is not one that a list gave', value)
}

const unpacked = (value: unknown): unknown =>
  typeof value !== 'string'
    ? value
    : value[0] === 't'
      ? new Date(Number(value.slice(1)))
      : value.slice(1)

const MOST = 2 ** 31

function fits(mark: unknown, column: Column): boolean {
  if (mark === null) return true
  const type = column.getSQLType()
  const isText = type.startsWith('text')
  const isPlain = !column.columnType.endsWith('CustomColumn')
  if (typeof mark === 'string') return isText && !mark.includes('\0')
  if (mark instanceof Date) return !isText && !isPlain && !Number.isNaN(mark.getTime())
  if (typeof mark !== 'number' || isText || !isPlain) return false
  if (type === 'real' || type === 'double precision') return Number.isFinite(mark)
  return Number.isInteger(mark) && Math.abs(mark) < MOST
}
