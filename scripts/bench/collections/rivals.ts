import { Database } from 'bun:sqlite'
import MiniSearch from 'minisearch'
import { stemmer } from 'stemmer'
import { STOPS } from '../../../src/search/words/stop-words.ts'
import type { Document } from './collection.ts'
import { DEPTH } from './measures.ts'

/** Returns the ids of the best documents, the best first. */
export type DocumentRanking = (query: string) => Promise<string[]> | string[]

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
const stemsOf = (text: string) =>
  wordsOf(text)
    .filter((word) => !STOPS.has(word))
    .map(stemmer)
const fullText = ({ title, text }: Document) => `${title}\n${text}`

const K1 = 1.2
const B = 0.75
/** Feedback of RM3 with the defaults of Anserini. */
const FEEDBACK_DOCUMENTS = 10
const FEEDBACK_TERMS = 10
const QUERY_SHARE = 0.5

type Weights = Map<string, number>

/** BM25 over stems, without and with feedback by the relevance model RM3. */
export function bm25Rankings(documents: readonly Document[]) {
  const counts = documents.map((document) => countsOf(stemsOf(fullText(document))))
  const lengths = counts.map(sumOf)
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  const postings = new Map<string, [number, number][]>()
  for (const [at, terms] of counts.entries())
    for (const [term, count] of terms)
      postings.set(term, [...(postings.get(term) ?? []), [at, count]])
  const rank = (weights: Weights) => {
    const scores = new Map<number, number>()
    for (const [term, weight] of weights) {
      const found = postings.get(term) ?? []
      const idf = Math.log(1 + (counts.length - found.length + 0.5) / (found.length + 0.5))
      for (const [at, count] of found) {
        const saturated = count / (count + K1 * (1 - B + (B * lengths[at]!) / mean))
        scores.set(at, (scores.get(at) ?? 0) + weight * idf * saturated)
      }
    }
    return [...scores].sort(([a, one], [c, other]) => other - one || a - c)
  }
  const ids = (ranked: [number, number][]) =>
    ranked.slice(0, DEPTH).map(([at]) => documents[at]!.id)
  const rm3 = (weights: Weights) => {
    const best = rank(weights).slice(0, FEEDBACK_DOCUMENTS)
    return expanded(
      weights,
      best.map(([at, score]) => ({ terms: counts[at]!, score })),
    )
  }
  return {
    plain: (query: string) => ids(rank(countsOf(stemsOf(query)))),
    rm3: (query: string) => ids(rank(rm3(countsOf(stemsOf(query))))),
  }
}

function countsOf(stems: readonly string[]): Weights {
  const counts: Weights = new Map()
  for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  return counts
}

const sumOf = (weights: Weights) => [...weights.values()].reduce((sum, one) => sum + one, 0)

/** Mixes the query with the most likely terms of the best documents. */
function expanded(query: Weights, best: readonly { terms: Weights; score: number }[]): Weights {
  const likely: Weights = new Map()
  for (const { terms, score } of best) {
    const length = sumOf(terms)
    for (const [term, count] of terms)
      likely.set(term, (likely.get(term) ?? 0) + (score * count) / length)
  }
  const top = new Map([...likely].sort(([, a], [, b]) => b - a).slice(0, FEEDBACK_TERMS))
  const mixed: Weights = new Map()
  for (const [weights, share] of [
    [query, QUERY_SHARE],
    [top, 1 - QUERY_SHARE],
  ] as const) {
    const sum = sumOf(weights)
    for (const [term, weight] of weights)
      mixed.set(term, (mixed.get(term) ?? 0) + (share * weight) / sum)
  }
  return mixed
}

export type Tokenizer = 'porter unicode61' | 'unicode61' | 'trigram'

/** FTS5 with one of its own tokenizers and its own bm25. */
export function fts5(documents: readonly Document[], tokenizer: Tokenizer): DocumentRanking {
  const db = new Database(':memory:')
  db.run(`CREATE VIRTUAL TABLE docs USING fts5(title, text, tokenize = '${tokenizer}')`)
  const insert = db.query('INSERT INTO docs (rowid, title, text) VALUES (?, ?, ?)')
  db.transaction(() => {
    for (const [at, { title, text }] of documents.entries()) insert.run(at + 1, title, text)
  })()
  const select = db.query<{ rowid: number }, [string, number]>(
    'SELECT rowid FROM docs WHERE docs MATCH ? ORDER BY rank LIMIT ?',
  )
  return (query) => {
    const words = [...new Set(wordsOf(query))].filter((word) => !STOPS.has(word))
    const parts = tokenizer === 'trigram' ? words.flatMap(trigramsOf) : words
    const match = parts.map((part) => `"${part}"`).join(' OR ')
    return match ? select.all(match, DEPTH).map(({ rowid }) => documents[rowid - 1]!.id) : []
  }
}

const trigramsOf = (word: string) =>
  Array.from({ length: Math.max(0, word.length - 2) }, (_, at) => word.slice(at, at + 3))

/** MiniSearch with stems, without stop words. */
export function stemmedMiniSearch(documents: readonly Document[]): DocumentRanking {
  const index = new MiniSearch<Document>({
    fields: ['title', 'text'],
    processTerm: (term) => {
      const word = term.toLowerCase()
      return STOPS.has(word) ? null : stemmer(word)
    },
  })
  index.addAll(documents)
  return (query) =>
    index
      .search(query)
      .slice(0, DEPTH)
      .map(({ id }) => id as string)
}
