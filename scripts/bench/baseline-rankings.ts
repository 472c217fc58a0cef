import MiniSearch from 'minisearch'
import { stemmer } from 'stemmer'
import { STOPS } from '../../src/search/words/stop-words.ts'
import { readWords, withoutStopWords } from '../../src/search/words/terms.ts'
import type { Passage } from './corpus.ts'

/** Returns the ids of the best passages for a question, the best first. */
export type Ranking = (question: string, limit: number) => number[]

/** MiniSearch with its default options, and with our stems and stop words. */
export function miniSearch(passages: readonly Passage[]): Ranking {
  const index = new MiniSearch<{ id: number; title: string; headings: string; text: string }>({
    fields: ['title', 'headings', 'text'],
    processTerm: (term) => {
      const word = term.toLowerCase()
      return STOPS.has(word) ? null : stemmer(word)
    },
  })
  index.addAll(
    passages.map(({ id, title, headings, text }) => ({
      ...{ id, title, text },
      headings: headings.join(' '),
    })),
  )
  return (question, limit) =>
    index
      .search(question)
      .slice(0, limit)
      .map(({ id }) => id as number)
}

export interface Bm25 {
  k1: number
  b: number
}

/** BM25 over title, headings and text as one field. */
export function bm25(passages: readonly Passage[]): (options: Bm25) => Ranking {
  const postings = new Map<string, Map<number, number>>()
  const lengths = passages.map(({ id, title, headings, text }) => {
    const stems = withoutStopWords(readWords([title, ...headings, text].join('\n')))
    for (const { stem } of stems) {
      const counts = postings.get(stem) ?? new Map<number, number>()
      postings.set(stem, counts.set(id, (counts.get(id) ?? 0) + 1))
    }
    return stems.length
  })
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  return ({ k1, b }) =>
    (question, limit) => {
      const scores = new Map<number, number>()
      for (const { stem } of withoutStopWords(readWords(question))) {
        const counts = postings.get(stem) ?? new Map<number, number>()
        const idf = Math.log(1 + (lengths.length - counts.size + 0.5) / (counts.size + 0.5))
        for (const [id, count] of counts) {
          const weight = (count * (k1 + 1)) / (count + k1 * (1 - b + (b * lengths[id]!) / mean))
          scores.set(id, (scores.get(id) ?? 0) + idf * weight)
        }
      }
      return [...scores]
        .sort(([a, one], [c, other]) => other - one || a - c)
        .slice(0, limit)
        .map(([id]) => id)
    }
}
