import { setImmediate } from 'node:timers/promises'
import MiniSearch, { type SearchResult } from 'minisearch'
import { stemmer } from 'stemmer'
import { plainOf } from '../content/index.ts'
import { STOPS } from '../search/stops.ts'
import { fold } from '../search/words.ts'
import type { Article, Section } from './articles.ts'
import { excerptOf, type Piece } from './excerpt.ts'

export interface Found {
  article: Article
  section: Section
  score: number
  /** The words asked for where they stand closest, and what is around them. */
  excerpt: Piece[]
}

export type Find = (query: string, limit: number) => Found[]

const wordsIn = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? []
const stemOf = (word: string) => (STOPS.has(word) ? null : stemmer(word))
const LEAST_TO_BEGIN = 3
/** Shorter words are too near to too many others, and longer ones are no words. */
const LEAST_TO_MISSPELL = 5
const MOST_TO_MISSPELL = 20
/** Two letters that changed places are two mistakes. */
const mistakesIn = ({ length }: string) => (length < 6 ? 1 : 2)
const isWord = ({ length }: string) => length >= LEAST_TO_MISSPELL && length <= MOST_TO_MISSPELL
const MOST_WORDS = 32

/** Nobody else waits longer for an index to be made. */
const TURN_MS = 5

/** An index over some hundred sections, made while one waits. The contents answer no question. */
export async function finderOf(articles: readonly Article[]): Promise<Find> {
  const pages = articles
    .filter(({ name }) => name)
    .flatMap((article) => article.sections.map((section) => ({ article, section })))
  const index = new MiniSearch({
    fields: ['title', 'headings', 'text'],
    tokenize: wordsIn,
    processTerm: stemOf,
  })
  const known = new Set<string | null>()
  let began = performance.now()
  for (const [id, { article, section }] of pages.entries()) {
    const { title } = article
    const text = plainOf(section.text, 'markdown')
    index.add({ id, title, headings: section.headings.join(' '), text })
    for (const word of wordsIn(`${title} ${section.text}`)) known.add(stemOf(word))
    if (performance.now() - began < TURN_MS) continue
    await setImmediate()
    began = performance.now()
  }
  const how = {
    boost: { title: 2, headings: 3 },
    prefix: (term: string) => term.length >= LEAST_TO_BEGIN,
    fuzzy: (term: string) => !known.has(term) && isWord(term) && mistakesIn(term),
    weights: { prefix: 0.3, fuzzy: 0.4 },
  }
  return (query, limit) => {
    const words = wordsIn(query).slice(0, MOST_WORDS)
    // "back up" is "backup", and "web hook" "webhook".
    const pairs = words.slice(1).map((word, at) => words[at] + word)
    const asked = [...words, ...pairs.filter((pair) => known.has(stemOf(pair)))]
    const hits = index.search(asked.join(' '), how).slice(0, limit)
    return hits.map((hit) => foundOf(pages[hit.id]!, hit))
  }
}

/** Code, in which the words asked for say less than in what is written about it. */
const BLOCK = /^```[\s\S]*?^```$/gm

function foundOf(page: Pick<Found, 'article' | 'section'>, { score, terms }: SearchResult): Found {
  const sought = new Set(terms)
  const isSought = (word: string) => sought.has(stemOf(fold(word)) ?? '')
  const excerptIn = (text: string) => excerptOf(plainOf(text, 'markdown'), isSought)
  const prose = excerptIn(page.section.text.replace(BLOCK, ''))
  const excerpt = prose.some((piece) => piece.isSought) ? prose : excerptIn(page.section.text)
  return { ...page, score: Math.round(score * 1000) / 1000, excerpt }
}
