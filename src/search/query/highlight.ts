import { readWords } from '../words/terms.ts'
import { typosBetween } from '../words/typos.ts'
import { fold, tokensOf } from '../words/words.ts'
import type { Term } from './query.ts'

/** Shorter beginnings match too many words. */
const MIN_PREFIX = 3

/**
 * The words of a text that resemble a searched word: other forms of it, words that begin with it,
 * and words with a few typos. As terms, so that a snippet can highlight them.
 */
export function highlightedTerms(text: string, searched: readonly Term[]): Term[] {
  const words = readWords(searched.map(({ text }) => text).join(' '))
  const terms = new Map<string, Term>()
  for (const { word, start, end } of tokensOf(text)) {
    if (terms.has(word)) continue
    const spelling = text.slice(start, end)
    if (isSimilar(spelling, words))
      terms.set(word, { words: [word], prefix: false, text: spelling })
  }
  return [...terms.values()]
}

function isSimilar(spelling: string, searched: ReturnType<typeof readWords>): boolean {
  const folded = fold(spelling)
  const [read] = readWords(spelling, 1)
  return searched.some(
    ({ word, stem }) =>
      stem === read?.stem ||
      (word.length >= MIN_PREFIX && folded.startsWith(word)) ||
      typosBetween(word, folded) !== undefined ||
      typosBetween(word, read?.stem ?? '') !== undefined,
  )
}
