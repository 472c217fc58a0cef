/**
 * How well a name matches the typed text: 0 means no match; earlier and longer matches score
 * higher.
 */
export function matchScore(typed: string, name: string, keywords = ''): number {
  const search = typed.trim().toLowerCase()
  if (!search) return 1
  const text = name.toLowerCase()
  const index = text.indexOf(search)
  if (index === 0) return 5
  if (index > 0 && /\W/.test(text[index - 1]!)) return 4
  const words = `${text} ${keywords.toLowerCase()}`
  if (search.split(/\s+/).every((word) => startsWord(words, word))) return 3
  if (index > 0) return 2
  return search.length > 1 && isSubsequence(search, text) ? 1 : 0
}

const startsWord = (words: string, start: string) =>
  words.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(start))

/** Whether all letters occur in order, with anything between them. */
function isSubsequence(characters: string, text: string): boolean {
  let at = -1
  for (const character of characters.replace(/\s/g, '')) {
    at = text.indexOf(character, at + 1)
    if (at < 0) return false
  }
  return true
}

export const rankByMatch = <T extends { name: string; keywords?: string }>(
  typed: string,
  items: readonly T[],
): T[] =>
  items
    .map((item, at) => ({ one: item, at, score: matchScore(typed, item.name, item.keywords) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .map(({ one }) => one)
