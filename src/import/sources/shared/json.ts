/** An object of parsed JSON. Its fields may be missing, or have another type than expected. */
export type Json = Record<string, unknown>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const objectOf = (value: unknown): Json => (isObject(value) ? value : {})

/** A list, or a single value as a list. */
export const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]

/** The objects of a list; empty if it is none. */
export const objectsOf = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter(isObject) : []

/** A text or number as trimmed text; empty if it is neither. */
export const stringOf = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''

/** The texts and numbers of a list, or of a single value, without the empty ones. */
export const stringsOf = (value: unknown): string[] => listOf(value).map(stringOf).filter(Boolean)

/** Products write numbers also as text. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** The first of several names of a field that has a value. */
export const firstOf = (object: Json, ...names: string[]): string =>
  names.map((name) => stringOf(object[name])).find(Boolean) ?? ''

/** Sorts by a numeric field. Items without it keep their order at the end. */
export const sortedBy = (items: readonly Json[], field: string): Json[] =>
  items.toSorted((a, b) => (numberOf(a[field]) ?? Infinity) - (numberOf(b[field]) ?? Infinity) || 0)

/** Leaves out the properties without a value. */
export const compact = <T extends object>(properties: T): T =>
  Object.fromEntries(
    Object.entries(properties).filter(
      ([, value]) =>
        value !== undefined && value !== '' && !(Array.isArray(value) && !value.length),
    ),
  ) as T
