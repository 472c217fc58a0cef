/** How well a name fits what was typed: 0 where it does not, more the earlier and the more whole. */
export function fit(typed: string, name: string, also = ''): number {
  const sought = typed.trim().toLowerCase()
  if (!sought) return 1
  const text = name.toLowerCase()
  const at = text.indexOf(sought)
  if (at === 0) return 5
  if (at > 0 && /\W/.test(text[at - 1]!)) return 4
  const words = `${text} ${also.toLowerCase()}`
  if (sought.split(/\s+/).every((word) => startsWord(words, word))) return 3
  if (at > 0) return 2
  return sought.length > 1 && isScattered(sought, text) ? 1 : 0
}

const startsWord = (words: string, start: string) =>
  words.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(start))

/** All letters in their order, whatever stands between them. */
function isScattered(letters: string, text: string): boolean {
  let at = -1
  for (const letter of letters.replace(/\s/g, '')) {
    at = text.indexOf(letter, at + 1)
    if (at < 0) return false
  }
  return true
}

export const ranked = <T extends { name: string; also?: string }>(
  typed: string,
  some: readonly T[],
): T[] =>
  some
    .map((one, at) => ({ one, at, score: fit(typed, one.name, one.also) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .map(({ one }) => one)
