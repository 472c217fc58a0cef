import type { TSchema } from '@sinclair/typebox'

/**
 * Corrects the spelling of words that a schema lists: `weekly` and `blocked_by` become `Weekly` and
 * `BlockedBy`. Returns the same value if nothing has to be corrected. Other values stay as they are.
 */
export function respell(schema: TSchema, value: unknown): unknown {
  if (typeof value === 'string') return respellWord(schema, value)
  if (typeof value !== 'object' || value === null) return value
  const isList = Array.isArray(value)
  const inner = alternativesOf(schema).find(({ type }) => type === (isList ? 'array' : 'object'))
  if (!inner) return value
  return isList ? respellList(inner.items, value) : respellObject(inner, value)
}

/** The alternatives of a schema, except null. */
export const alternativesOf = (schema: TSchema): TSchema[] =>
  (schema.anyOf?.flatMap(alternativesOf) ?? [schema]).filter(({ type }: TSchema) => type !== 'null')

function respellWord(schema: TSchema, word: string): string {
  const known = alternativesOf(schema)
    .map((one) => one.const)
    .filter((one): one is string => typeof one === 'string')
  return known.length ? (matchWord(word, known) ?? word) : word
}

/** The known word with this spelling, or the only one that differs by case and separators alone. */
export function matchWord(word: string, known: readonly string[]): string | undefined {
  if (word.length > MAX_WORD || known.includes(word)) return known.find((one) => one === word)
  const matches = known.filter((one) => fold(one) === fold(word))
  return matches.length === 1 ? matches[0] : undefined
}

const MAX_WORD = 60

/** Compares words without case, underscores, dashes and spaces. */
export const fold = (word: string): string => word.replace(/[\s_-]/g, '').toLowerCase()

function respellList(items: TSchema, values: unknown[]): unknown[] {
  const respelled = values.map((value) => respell(items, value))
  return respelled.some((value, at) => value !== values[at]) ? respelled : values
}

function respellObject({ properties = {} }: TSchema, object: object): object {
  const changed = Object.entries(object)
    .filter(([name]) => Object.hasOwn(properties, name))
    .map(([name, value]) => [name, respell(properties[name], value), value] as const)
    .filter(([, respelled, value]) => respelled !== value)
  if (!changed.length) return object
  return { ...object, ...Object.fromEntries(changed.map(([name, value]) => [name, value])) }
}
