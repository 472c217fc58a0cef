export type Values = Record<string, unknown>

export const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]

/** A text or number as a text without surrounding space; empty for anything else. */
export const textIn = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''

/** The texts and numbers of a list, or of a single value, without the empty ones. */
export const textsIn = (value: unknown): string[] => listOf(value).map(textIn).filter(Boolean)

/** A name for people from one for programs: `estimated_hours` becomes "Estimated hours". */
export function wordsOf(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, (_, before: string, after: string) => `${before} ${after}`)
    .replace(/[_\-\s]+/g, ' ')
    .trim()
  const isCode = /^[A-Z\d ]+$/.test(words)
  return isCode ? words : words.charAt(0).toUpperCase() + words.slice(1).toLowerCase()
}

/** Adds a suffix to an id that is already taken. */
export function uniqueId(id: string, taken: { has(id: string): boolean }): string {
  if (!taken.has(id)) return id
  let number = 2
  while (taken.has(`${id}~${number}`)) number++
  return `${id}~${number}`
}
