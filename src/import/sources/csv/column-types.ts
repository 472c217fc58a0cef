import { type DateContext, parseDate } from '../shared/dates.ts'
import type { TypedValue } from '../shared/task-limits.ts'

export type ColumnType = TypedValue['type']

const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:[.,]\d+)?$/
/** A spreadsheet writes thousands with separators. */
const GROUPED = /^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/
const TRUE =
  /^(?:true|yes|y|x|✓|✔|☑|✅|checked|on|wahr|ja|oui|vrai|sí|si|sì|verdadero|sim|tak|да|はい|是)$/i
const FALSE = /^(?:false|no|n|☐|unchecked|off|falsch|nein|non|faux|falso|não|nie|нет|いいえ|否)$/i
const MAX_OPTIONS = 25

export const isTrue = (value: string): boolean => TRUE.test(value.trim())
export const isFalse = (value: string): boolean => FALSE.test(value.trim())

export function numberOf(value: string): number | undefined {
  const plain = value.trim()
  if (GROUPED.test(plain)) return Number(plain.replaceAll(',', ''))
  return NUMBER.test(plain) ? Number(plain.replace(',', '.')) : undefined
}

/** Guesses the type of a column from all of its values. */
export function columnType(values: readonly string[], dates: DateContext): ColumnType {
  const filled = values.filter((value) => value.trim())
  if (!filled.length) return 'text'
  const distinct = new Set(filled)
  if (filled.every((value) => numberOf(value) !== undefined)) return 'number'
  if (filled.every((value) => isTrue(value) || isFalse(value))) return 'checkbox'
  if (filled.every((value) => parseDate(value, dates) !== undefined)) return 'date'
  if (filled.every((value) => /^https?:\/\/\S+$/.test(value.trim()))) return 'url'
  const isChoice = distinct.size <= MAX_OPTIONS && filled.length >= distinct.size * 2
  const isShort = [...distinct].every((value) => value.length <= 60 && !value.includes('\n'))
  return isChoice && isShort ? 'select' : 'text'
}

/** A value in the type of its column; undefined if it is empty. */
export function typedValue(
  name: string,
  type: ColumnType,
  value: string,
  dates: DateContext,
): TypedValue | undefined {
  if (!value.trim()) return undefined
  if (type === 'number') return { name, type, value: numberOf(value)! }
  if (type === 'checkbox') return { name, type, value: isTrue(value) }
  if (type === 'date') return { name, type, value: parseDate(value, dates)! }
  return { name, type, value: value.trim() }
}
