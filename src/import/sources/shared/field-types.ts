import type { CustomField } from '../../record.ts'
import { parseDate } from './dates.ts'
import { shortName } from './task-limits.ts'

type Value = string | number | boolean

/** The type of a field that has these values. */
export function guessedType(values: readonly Value[]): CustomField['type'] {
  if (values.every((value) => typeof value === 'boolean')) return 'checkbox'
  const texts = values.map(String)
  if (texts.every((text) => /^-?\d{1,15}(?:\.\d+)?$/.test(text))) return 'number'
  if (texts.every((text) => dayIn(text) !== undefined)) return 'date'
  return texts.every((text) => /^https?:\/\/\S+$/.test(text)) ? 'url' : 'text'
}

/** The day of a date without a time, or at midnight, as products export it. */
function dayIn(text: string): string | undefined {
  const date = /[a-z]|^\d{4}-/i.test(text) ? parseDate(text) : undefined
  return date && /^.{10}(?:T00:00:00.000Z)?$/.test(date) ? date.slice(0, 10) : undefined
}

/** A value as a field of that type has it. */
export function valueAs(type: CustomField['type'] | undefined, value: Value): Value {
  if (type === 'number') return Number(value)
  if (type === 'checkbox') return value
  const text = String(value)
  if (type === 'date') return dayIn(text) ?? text
  return type === 'select' ? shortName(text) : text
}

const MAX_VALUE = 1000

/** The names of fields with long texts. They become sections of the descriptions. */
export const longFields = (values: readonly { name: string; value: Value }[]): Set<string> =>
  new Set(
    values
      .filter(({ value }) => String(value).includes('\n') || String(value).length > MAX_VALUE)
      .map(({ name }) => name),
  )
