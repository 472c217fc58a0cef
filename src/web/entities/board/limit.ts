export const MAX_LIMIT = 1000

/** Parses a limit: a number, null for none, or undefined if it is not valid. */
export function parseLimit(text: string): number | null | undefined {
  if (!text.trim()) return null
  const limit = Number(text)
  return Number.isInteger(limit) && limit > 0 && limit <= MAX_LIMIT ? limit : undefined
}
