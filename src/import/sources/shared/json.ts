export type Json = Record<string, unknown>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const objectOf = (value: unknown): Json => (isObject(value) ? value : {})
export const objectsOf = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter(isObject) : []

/** A text or number as trimmed text; empty if it is neither. */
export function stringOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : ''
}

export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** Leaves out the properties without a value. */
export function compact<T extends object>(
  properties: T,
): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(properties).filter(
    ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && !value.length),
  )
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> }
}
