import { titleScore } from './score.ts'
import { titleWords } from './words.ts'

/** Something found by its name, with what is precomputed for the search. */
export interface Named<Item> {
  item: Item
  words: string[]
  /** The letters of the name, as bits. */
  letters: number
}

export interface NameMatch<Item> {
  item: Item
  score: number
}

export function toNamed<Item>(item: Item, name: string): Named<Item> {
  const words = titleWords(name)
  return { item, words, letters: lettersOf(words) }
}

/** Letters that two typos can add to a typed word, and to each further one. */
const MAX_FOREIGN_LETTERS = 2

/** The best matches. Names with typos are compared only if too few match without. */
export function matchNames<Item>(
  typed: readonly string[],
  names: readonly Named<Item>[],
  limit: number,
): NameMatch<Item>[] {
  const begin = names.filter(({ words }) =>
    typed.every((word) => words.some((other) => other.startsWith(word))),
  )
  const candidates = begin.length < limit ? names.filter(mayMatch(typed)) : begin
  return candidates
    .flatMap(({ item, words }) => {
      const score = titleScore(typed, words)
      return score === undefined ? [] : [{ item, score }]
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
}

/** Excludes most names without comparing words: those that lack too many of the typed letters. */
function mayMatch(typed: readonly string[]) {
  const masks = typed.map((word) => lettersOf([word]))
  return ({ letters }: Named<unknown>) =>
    masks.every((mask) => bitCount(mask & ~letters) <= MAX_FOREIGN_LETTERS)
}

function lettersOf(words: readonly string[]): number {
  let bits = 0
  for (const word of words)
    for (let at = 0; at < word.length; at++) bits |= 1 << (word.charCodeAt(at) & 31)
  return bits
}

function bitCount(bits: number): number {
  let count = 0
  for (let rest = bits; rest; rest &= rest - 1) count++
  return count
}
