import { type Fault, fault } from '../../../../kernel/fault.ts'
import { cleanName, foldName } from '../../projects/model/index.ts'

/** The types and values of custom fields. Pure functions: no clock, no database. */
export const TYPES = ['number', 'text', 'select', 'date', 'checkbox', 'url'] as const
export type FieldType = (typeof TYPES)[number]

export interface Option {
  option_id: string
  label: string
}

export interface Definition {
  name: string
  type: FieldType
  options: Option[] | null
}

/** A stored value: a number, or text for every other type. */
export interface StoredValue {
  number: number | null
  text: string | null
}

export type FieldInput = string | number | boolean | null

const MAX_TEXT = 10_000
const MAX_URL = 2000
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** Null and empty text clear a field. */
export const clearsField = (value: FieldInput): value is null | '' => value === null || value === ''

/** Parses input for a field into its stored form. Throws a fault if it does not fit the type. */
export function toStoredValue(field: Definition, value: Exclude<FieldInput, null>): StoredValue {
  if (field.type === 'number') return { number: requireNumber(field, value), text: null }
  return { number: null, text: PARSERS[field.type](field, value) }
}

/** A number may arrive as text, for example from the command line. */
export function parseNumber(value: FieldInput): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || !NUMBER.test(value.trim())) return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

function requireNumber(field: Definition, value: FieldInput): number {
  const number = parseNumber(value)
  // Turns negative zero into zero, so that every database stores the same value.
  if (number !== undefined) return number === 0 ? 0 : number
  throw invalidValue(field, 'invalid_type', 'a number', value)
}

type Parser = (field: Definition, given: string | number | boolean) => string

const PARSERS: Record<Exclude<FieldType, 'number'>, Parser> = {
  text(field, value) {
    if (typeof value !== 'string') throw invalidValue(field, 'invalid_type', 'text', value)
    if (value.length <= MAX_TEXT) return value
    throw invalidValue(field, 'too_long', `text of at most ${MAX_TEXT} characters`, value)
  },
  select(field, value) {
    const options = field.options ?? []
    const text = String(value)
    const option =
      options.find(({ option_id }) => option_id === text.toLowerCase()) ??
      options.find(({ label }) => foldName(label) === foldName(text))
    if (option) return option.option_id
    const labels = options.map(({ label }) => label).slice(0, 20)
    const hint = labels.length ? `Options: ${labels.join(', ')}` : 'It has no options yet'
    throw invalidValue(field, 'not_found', 'one of its options', value, hint)
  },
  date(field, value) {
    if (typeof value === 'string' && isDay(value.trim())) return value.trim()
    throw invalidValue(field, 'invalid_format', 'a valid date', value, 'For example 2026-12-01')
  },
  checkbox(field, value) {
    const text = String(value).toLowerCase()
    if (text === 'true' || text === 'false') return text
    throw invalidValue(field, 'invalid_type', 'true or false', value)
  },
  url(field, value) {
    const text = typeof value === 'string' ? value.trim() : ''
    if (text.length > MAX_URL)
      throw invalidValue(field, 'too_long', `a URL of at most ${MAX_URL} characters`, value)
    // Only http and https: a browser might execute other schemes.
    if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text
    throw invalidValue(field, 'invalid_format', 'an http or https URL', value)
  },
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  try {
    return Temporal.PlainDate.from(text).year > 0
  } catch {
    return false
  }
}

const invalidValue = (
  { name, type }: Definition,
  code: Parameters<typeof fault.invalid>[1],
  what: string,
  value: FieldInput,
  hint?: string,
): Fault =>
  fault.invalid('value', code, `"${name}" is a ${type} field: value must be ${what}`, value, hint)

/** The output form of a stored value. */
export const toOutput = (
  type: FieldType,
  { number, text }: StoredValue,
): string | number | boolean =>
  type === 'number' ? number! : type === 'checkbox' ? text === 'true' : text!

export const labelOf = (options: readonly Option[] | null, option_id: string | null) =>
  options?.find((option) => option.option_id === option_id)?.label

interface Draft {
  option_id?: string
  label: string
}

/**
 * The options after an update. An option keeps its identity, and the values of tasks, if it is
 * named by its id or by its current label.
 */
export function resolveOptions(
  before: readonly Option[],
  drafts: readonly Draft[],
  newId: () => string,
): Option[] {
  const usedIds = new Set<string>()
  const result: Option[] = []
  for (const [at, draft] of drafts.entries()) {
    const label = cleanName(`options.${at}.label`, draft.label)
    const option_id = existingOptionId(before, draft, at) ?? newId()
    if (
      usedIds.has(option_id) ||
      result.some((option) => foldName(option.label) === foldName(label))
    )
      throw fault.invalid(
        `options.${at}.label`,
        'conflict',
        `The option "${label}" appears twice`,
        label,
      )
    usedIds.add(option_id)
    result.push({ option_id, label })
  }
  return result
}

function existingOptionId(before: readonly Option[], { option_id, label }: Draft, at: number) {
  if (option_id === undefined)
    return before.find((option) => foldName(option.label) === foldName(label))?.option_id
  const id = option_id.toLowerCase()
  if (before.some((option) => option.option_id === id)) return id
  throw fault.invalid(
    `options.${at}.option_id`,
    'not_found',
    'This field has no such option',
    option_id,
    'Leave option_id out to add a new one',
  )
}
