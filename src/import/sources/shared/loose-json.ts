/** Parsed JSON whose shape is not trusted: fields may be missing or have another type. */
export type Loose = Readonly<Record<string, unknown>>

export const objectOf = (value: unknown): Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : {}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The objects of a list; anything else in it is skipped. */
export const objectsOf = (value: unknown): Loose[] =>
  listOf(value).filter(
    (item): item is Loose => typeof item === 'object' && item !== null && !Array.isArray(item),
  )

/** Text or a number as text; empty for anything else. */
export const stringOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

/** Products write numbers also as text. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value !== 'number' && (typeof value !== 'string' || !value.trim())) return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

/** Sorts by a numeric field. Items without it keep their order at the end. */
export const sortedBy = (items: readonly Loose[], field: string): Loose[] =>
  items.toSorted((a, b) => (numberOf(a[field]) ?? Infinity) - (numberOf(b[field]) ?? Infinity) || 0)
