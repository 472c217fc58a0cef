import type { IndexedPassage } from '../../src/search/segments/segment.ts'
import { hashOf, termsOf } from '../../src/search/words/terms.ts'

/** Pseudo-random numbers and words, reproducible from the seed. */
export function randomSource(seed: number) {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  /** Word frequencies are skewed: a few words are common and most are rare. */
  const word = (most: number) => `w${Math.floor(most ** next())}`
  return { next, below, word }
}

export function randomPassages(seed: number, count: number, length = 40): IndexedPassage[] {
  const { below, word } = randomSource(seed)
  const words = (limit: number) => Uint32Array.from({ length: limit }, () => hashOf(word(8000)))
  return Array.from({ length: count }, (_, at) => ({
    ...{ id: at * 3 + 1, source: below(count) },
    title: words(below(6)),
    headings: words(below(9)),
    body: words(below(length * 2)),
  }))
}

/** A passage with a source of its own, unless `fields.source` names another one. */
export const passage = (
  id: number,
  body: string,
  fields: Partial<Record<'title' | 'headings', string>> & { source?: number } = {},
): IndexedPassage => ({
  ...{ id, source: fields.source ?? id, body: termsOf(body) },
  title: termsOf(fields.title ?? ''),
  headings: termsOf(fields.headings ?? ''),
})
