import type { IndexedPassage } from '../../src/search/segment.ts'
import { hashOf, termsOf } from '../../src/search/terms.ts'

/** Pseudo-random numbers and words, reproducible from the seed. */
export function randomly(seed: number) {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  const below = (most: number) => Math.floor(next() * most)
  /** Word frequencies are skewed: a few words are common and most are rare. */
  const word = (most: number) => `w${Math.floor(most ** next())}`
  return { next, below, word }
}

export function leavesAtRandom(seed: number, count: number, length = 40): IndexedPassage[] {
  const { below, word } = randomly(seed)
  const words = (most: number) => Uint32Array.from({ length: most }, () => hashOf(word(8000)))
  return Array.from({ length: count }, (_, at) => ({
    ...{ id: at * 3 + 1, source: below(count) },
    title: words(below(6)),
    headings: words(below(9)),
    body: words(below(length * 2)),
  }))
}

/** A passage with a source of its own, unless `more.source` names another one. */
export const leaf = (
  id: number,
  body: string,
  more: Partial<Record<'title' | 'headings', string>> & { source?: number } = {},
): IndexedPassage => ({
  ...{ id, source: more.source ?? id, body: termsOf(body) },
  title: termsOf(more.title ?? ''),
  headings: termsOf(more.headings ?? ''),
})
