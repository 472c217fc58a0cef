import { setImmediate } from 'node:timers/promises'
import MiniSearch, { type SearchResult } from 'minisearch'
import { stemmer } from 'stemmer'
import { plainOf } from '../content/index.ts'
import { STOPS } from '../search/words/stop-words.ts'
import { fold } from '../search/words/words.ts'
import type { Article, Section } from './articles.ts'
import { excerptOf, type Piece } from './excerpt.ts'

export interface ManualMatch {
  article: Article
  section: Section
  score: number
  /** The part of the section where matching words are closest together. */
  excerpt: Piece[]
}

export type Find = (query: string, limit: number) => ManualMatch[]

const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? []
const stemOf = (word: string) => (STOPS.has(word) ? null : stemmer(word))
const MIN_PREFIX = 3
/** Words of these lengths match fuzzily. Shorter ones resemble too many others. */
const MIN_FUZZY = 5
const MAX_FUZZY = 20
/** Two swapped letters count as two edits. */
const maxEdits = ({ length }: string) => (length < 6 ? 1 : 2)
const isFuzzyLength = ({ length }: string) => length >= MIN_FUZZY && length <= MAX_FUZZY
const MAX_WORDS = 32

/** Indexing yields to other work after this time. */
const SLICE_MS = 5

/** Indexes the sections of the manual, except the table of contents, which answers no question. */
export async function finderOf(articles: readonly Article[]): Promise<Find> {
  const pages = articles
    .filter(({ name }) => name)
    .flatMap((article) => article.sections.map((section) => ({ article, section })))
  const index = new MiniSearch({
    fields: ['title', 'headings', 'text'],
    tokenize: wordsOf,
    processTerm: stemOf,
  })
  const stems = new Set<string | null>()
  let startedAt = performance.now()
  for (const [id, { article, section }] of pages.entries()) {
    const { title } = article
    const text = plainOf(section.text, 'markdown')
    index.add({ id, title, headings: section.headings.join(' '), text })
    for (const word of wordsOf(`${title} ${section.text}`)) stems.add(stemOf(word))
    if (performance.now() - startedAt < SLICE_MS) continue
    await setImmediate()
    startedAt = performance.now()
  }
  const options = {
    boost: { title: 2, headings: 3 },
    prefix: (term: string) => term.length >= MIN_PREFIX,
    fuzzy: (term: string) => !stems.has(term) && isFuzzyLength(term) && maxEdits(term),
    weights: { prefix: 0.3, fuzzy: 0.4 },
  }
  return (query, limit) => {
    const words = wordsOf(query).slice(0, MAX_WORDS)
    // "back up" also finds "backup", and "web hook" finds "webhook".
    const pairs = words.slice(1).map((word, index) => words[index] + word)
    const terms = [...words, ...pairs.filter((pair) => stems.has(stemOf(pair)))]
    const hits = index.search(terms.join(' '), options).slice(0, limit)
    return hits.map((hit) => toMatch(pages[hit.id]!, hit))
  }
}

/** Code blocks; an excerpt of the prose around them explains more. */
const CODE_BLOCK = /^```[\s\S]*?^```$/gm

function toMatch(
  page: Pick<ManualMatch, 'article' | 'section'>,
  { score, terms }: SearchResult,
): ManualMatch {
  const matchedStems = new Set(terms)
  const isMatch = (word: string) => matchedStems.has(stemOf(fold(word)) ?? '')
  const excerptFrom = (text: string) => excerptOf(plainOf(text, 'markdown'), isMatch)
  const prose = excerptFrom(page.section.text.replace(CODE_BLOCK, ''))
  const excerpt = prose.some((piece) => piece.isMatch) ? prose : excerptFrom(page.section.text)
  return { ...page, score: Math.round(score * 1000) / 1000, excerpt }
}
