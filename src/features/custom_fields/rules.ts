import { type Fault, fault } from '../../kernel/fault.ts'
import { folded, nameOf } from '../projects/index.ts'

/** What values custom fields take. Nothing here reads a clock or a database. */
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

/** A value as it is kept: a number, or a text for every other type. */
export interface Kept {
  number: number | null
  text: string | null
}

export type Given = string | number | boolean | null

const MOST_TEXT = 10_000
const MOST_URL = 2000
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** Null and the empty text clear a field. */
export const isEmpty = (given: Given): given is null | '' => given === null || given === ''

/** What was given for a field, as it is kept; a fault where it does not fit the type. */
export function keptOf(field: Definition, given: Exclude<Given, null>): Kept {
  if (field.type === 'number') return { number: numberIn(field, given), text: null }
  return { number: null, text: READ[field.type](field, given) }
}

/** A number may come as text, for a command line has nothing else. */
export function numberOf(given: Given): number | undefined {
  if (typeof given === 'number') return given
  if (typeof given !== 'string' || !NUMBER.test(given.trim())) return undefined
  const number = Number(given)
  return Number.isFinite(number) ? number : undefined
}

function numberIn(field: Definition, given: Given): number {
  const number = numberOf(given)
  // Zero has one face only, on every engine.
  if (number !== undefined) return number === 0 ? 0 : number
  throw misfit(field, 'invalid_type', 'a number', given)
}

type Read = (field: Definition, given: string | number | boolean) => string

const READ: Record<Exclude<FieldType, 'number'>, Read> = {
  text(field, given) {
    if (typeof given !== 'string') throw misfit(field, 'invalid_type', 'text', given)
    if (given.length <= MOST_TEXT) return given
    throw misfit(field, 'too_long', `text of at most ${MOST_TEXT} characters`, given)
  },
  select(field, given) {
    const options = field.options ?? []
    const text = String(given)
    const option =
      options.find(({ option_id }) => option_id === text.toLowerCase()) ??
      options.find(({ label }) => folded(label) === folded(text))
    if (option) return option.option_id
    const labels = options.map(({ label }) => label).slice(0, 20)
    const hint = labels.length ? `It offers ${labels.join(', ')}` : 'It has no options yet'
    throw misfit(field, 'not_found', 'one of its options', given, hint)
  },
  date(field, given) {
    if (typeof given === 'string' && isDay(given.trim())) return given.trim()
    throw misfit(field, 'invalid_format', 'a day of the calendar', given, 'Write 2026-12-01')
  },
  checkbox(field, given) {
    const text = String(given).toLowerCase()
    if (text === 'true' || text === 'false') return text
    throw misfit(field, 'invalid_type', 'true or false', given)
  },
  url(field, given) {
    const text = typeof given === 'string' ? given.trim() : ''
    if (text.length > MOST_URL)
      throw misfit(field, 'too_long', `an address of at most ${MOST_URL} characters`, given)
    // Whatever else an address may begin with, a browser might run it.
    if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text
    throw misfit(field, 'invalid_format', 'an http or https address', given)
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

const misfit = (
  { name, type }: Definition,
  code: Parameters<typeof fault.invalid>[1],
  what: string,
  given: Given,
  hint?: string,
): Fault =>
  fault.invalid('value', code, `"${name}" is a ${type} field: value must be ${what}`, given, hint)

/** What a kept value means to whoever reads it. */
export const meaningOf = (type: FieldType, { number, text }: Kept): string | number | boolean =>
  type === 'number' ? number! : type === 'checkbox' ? text === 'true' : text!

export const labelOf = (options: readonly Option[] | null, option_id: string | null) =>
  options?.find((one) => one.option_id === option_id)?.label

interface Draft {
  option_id?: string
  label: string
}

/**
 * The options that were asked for. One named by its id, or by a label there was before, stays the
 * option it is, and with it what tasks have chosen.
 */
export function optionsOf(
  before: readonly Option[],
  drafts: readonly Draft[],
  newId: () => string,
): Option[] {
  const taken = new Set<string>()
  const made: Option[] = []
  for (const [at, draft] of drafts.entries()) {
    const label = nameOf(`options.${at}.label`, draft.label)
    const option_id = knownId(before, draft, at) ?? newId()
    if (taken.has(option_id) || made.some((one) => folded(one.label) === folded(label)))
      throw fault.invalid(
        `options.${at}.label`,
        'conflict',
        `The option "${label}" is there twice`,
        label,
      )
    taken.add(option_id)
    made.push({ option_id, label })
  }
  return made
}

function knownId(before: readonly Option[], { option_id, label }: Draft, at: number) {
  if (option_id === undefined)
    return before.find((one) => folded(one.label) === folded(label))?.option_id
  const id = option_id.toLowerCase()
  if (before.some((one) => one.option_id === id)) return id
  throw fault.invalid(
    `options.${at}.option_id`,
    'not_found',
    'This field has no such option',
    option_id,
    'Leave option_id out to add a new one',
  )
}
