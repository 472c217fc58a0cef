import type { TSchema } from '@sinclair/typebox'
import type { AnyOperation } from '../../kernel/operation.ts'
import { alternativesOf, fold } from '../../kernel/respell.ts'

type Fields = Record<string, unknown>

/**
 * Converts the values of a call to the types that the operation takes, where only one meaning is
 * possible: a number as text, one value in place of a list, JSON as text. Validation refuses the
 * rest. Only models need this; REST stays strict.
 */
export function convertInput({ input: schema }: AnyOperation, input: Fields): Fields {
  const { properties, required = [] } = schema
  const known = moveAddresses(properties, renameFields(properties, input))
  const entries = Object.entries(known).filter(
    // Clients that must send every field send null for those without a value.
    ([name, value]) => value !== null || required.includes(name) || takesNull(properties[name]),
  )
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      Object.hasOwn(properties, name) ? convert(properties[name], value) : value,
    ]),
  )
}

const takesNull = (schema: TSchema | undefined): boolean =>
  !schema || schema.type === 'null' || (schema.anyOf ?? []).some(takesNull)

/** Converts one value. A value that fits no alternative is returned as it is. */
export function convert(schema: TSchema, value: unknown): unknown {
  if (value === null || value === undefined) return value
  const alternatives = alternativesOf(schema)
  const list = alternatives.find(({ type }) => type === 'array')
  const single = alternatives.filter((one) => one !== list)
  if (Array.isArray(value)) {
    if (list) return value.map((entry) => convert(list.items, entry))
    return value.length === 1 ? convert(schema, value[0]) : value
  }
  const parsed = typeof value === 'string' ? parseText(alternatives, value) : value
  if (parsed !== value) return convert(schema, parsed)
  if (fits(single, value, list)) return convertInner(single, value)
  const converted = single.map((one) => convertSingle(one, value)).find((one) => one !== value)
  if (converted !== undefined) return converted
  return list ? entriesOf(list.items, value).map((entry) => convert(list.items, entry)) : value
}

/** Whether the value has one of the types. If a list is possible too, a text may be one. */
const fits = (single: readonly TSchema[], value: unknown, list: TSchema | undefined) =>
  single.some(({ type, const: constant }) => {
    if (constant === undefined)
      return type === typeOf(value) || (type === 'number' && typeOf(value) === 'integer')
    if (typeof constant !== typeof value) return false
    return !list || fold(String(constant)) === fold(String(value))
  })

function typeOf(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

/** JSON of a list or an object, where the field takes one. */
function parseText(alternatives: readonly TSchema[], text: string): unknown {
  const kind = { '[': 'array', '{': 'object' }[text.trim()[0] ?? '']
  if (!alternatives.some(({ type }) => type === kind)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function convertSingle(schema: TSchema, value: unknown): unknown {
  const { type, names } = schema
  if (typeof value === 'number' && type === 'string') return String(value)
  if (typeof value !== 'string') return value
  const word = value.trim()
  if (type === 'boolean')
    return /^(true|false)$/i.test(word) ? word.toLowerCase() === 'true' : value
  if (type === 'integer' || type === 'number') {
    if (/^-?\d{1,15}$/.test(word) || (type === 'number' && /^-?\d{1,15}\.\d+$/.test(word)))
      return Number(word)
    const number = names?.findIndex((name: string | undefined) => name && fold(name) === fold(word))
    return number >= 0 ? number : value
  }
  const field = type === 'object' ? mainTextOf(schema) : undefined
  return field ? { [field]: value } : value
}

/** The only required field of an object, if it is a text. That text can stand for the object. */
function mainTextOf({ properties, required = [] }: TSchema): string | undefined {
  const [name, ...others]: string[] = required
  return name && !others.length && properties[name].type === 'string' ? name : undefined
}

/** Converts the fields of an object. */
function convertInner(single: readonly TSchema[], value: unknown): unknown {
  const properties = single.find(({ type }) => type === 'object')?.properties
  if (typeof value !== 'object' || !properties) return value
  return Object.fromEntries(
    Object.entries(value as Fields).map(([name, inner]) => [
      name,
      Object.hasOwn(properties, name) ? convert(properties[name], inner) : inner,
    ]),
  )
}

/** One value as a list. Numbers, listed words and keys contain no comma, so commas separate them. */
function entriesOf(items: TSchema, value: unknown): unknown[] {
  if (typeof value !== 'string' || !value.includes(',')) return [value]
  const parts = value.split(',').map((part) => part.trim())
  const isFreeText = alternativesOf(items).some(
    ({ type, const: constant }) => type === 'string' && constant === undefined,
  )
  return isFreeText && !parts.every((part) => /^#?[a-z][a-z0-9]*-\d+$/i.test(part))
    ? [value]
    : parts
}

/** Names that tools use for the same thing. A model may know one of them from another action. */
const SAME_THING = [
  ['section_id', 'section'],
  ['assignee_ids', 'user_ids', 'user_id'],
  ['task_identifier', 'ticket_number', 'task_id'],
  ['text', 'content', 'body', 'comment', 'note'],
  ['title', 'name'],
  // Records show the estimate by its name.
  ['estimate', 'size'],
]

/** Renames a field that the operation has under another name. */
function renameFields(properties: Fields, input: Fields): Fields {
  let renamed = input
  for (const names of SAME_THING) {
    const own = names.find((name) => Object.hasOwn(properties, name))
    const foreign = names.find((name) => !properties[name] && Object.hasOwn(renamed, name))
    if (!own || !foreign || names.some((name) => properties[name] && Object.hasOwn(renamed, name)))
      continue
    const { [foreign]: value, ...rest } = renamed
    renamed = { ...rest, [own]: value }
  }
  return renamed
}

/**
 * Moves a key in the place of a task id to the field for keys. A number in the place of a key stays:
 * it may be an id, or the number of a task on its board.
 */
function moveAddresses(properties: Fields, input: Fields): Fields {
  let moved = input
  for (const [id, key] of ADDRESSES) {
    const { [id]: value, ...rest } = moved
    const values = Array.isArray(value) ? value : [value]
    const isFree = properties[id] && properties[key] && (moved[key] ?? undefined) === undefined
    if (isFree && values.length && values.every(isKey)) moved = { ...rest, [key]: value }
  }
  return moved
}

const ADDRESSES = [
  ['task_id', 'ticket_number'],
  ['source_task_id', 'source_ticket_number'],
  ['target_task_id', 'target_ticket_number'],
  ['task_ids', 'ticket_numbers'],
] as const

const isKey = (value: unknown) => typeof value === 'string' && /[a-z]/i.test(value)
