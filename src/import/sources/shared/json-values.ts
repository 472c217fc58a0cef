/** Values of parsed JSON of unknown shape. */
export type JsonObject = Record<string, unknown>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The objects of a list; empty if it is none. */
export const objectsIn = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : []

export const objectIn = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** A string or number as trimmed text; empty for anything else. */
export const stringIn = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''

export const stringsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(stringIn).filter(Boolean) : []

export const numberIn = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** The first of several names of a field that has a value. */
export const firstOf = (object: JsonObject, ...names: string[]): string => {
  for (const name of names) {
    const value = stringIn(object[name])
    if (value) return value
  }
  return ''
}
