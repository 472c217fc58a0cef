import { distance } from 'fastest-levenshtein'
import { DEFAULT_TUNING, rank } from '../../src/search/rank.ts'
import { buildSegment } from '../../src/search/segment.ts'
import { spellings, termsOf } from '../../src/search/terms.ts'
import { type Passage, passagesOfDocs, type Question, questionsOf } from './corpus.ts'
import { meanQuality, type Quality } from './measures.ts'
import type { Row } from './report.ts'
import { spreadOf } from './sample.ts'
import { type Bm25, bm25, miniSearch, type Ranking } from './yardsticks.ts'

const MEASURES = { ndcg: 'nDCG@10', recall: 'recall@10' } as const
const GRID: Bm25[] = [0.3, 0.5, 0.7, 0.9, 1.2, 1.6, 2].flatMap((k1) =>
  [0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 1].map((b) => ({ k1, b })),
)

/**
 * How well passages are found by questions in other words. What is tuned is tuned on the odd half;
 * the even one is only asked here.
 */
export function quality(): Promise<Row[]> {
  const passages = passagesOfDocs()
  const make = bm25(passages)
  const chosen = bestOf(GRID, questionsOf('odd'), make, passages)
  const plain = make(chosen)
  const mini = miniSearch(passages)
  const subject = ours(passages)
  const bare = ours(passages, { ...DEFAULT_TUNING, synonym: 0 })
  const rows = (['odd', 'even'] as const).flatMap((half) => {
    const questions = questionsOf(half)
    const of = (rank: Ranking) => meanQuality(questions, rank, passages)
    const where = `${questions.length} ${half} questions, ${passages.length} passages`
    const found = of(subject)
    const name = `BM25 with stems, k1 ${chosen.k1}, b ${chosen.b}`
    const base = { name, found: of(plain) }
    return [
      ...compared(where, found, { ...base, least: 1.1 }),
      ...compared(`${where}, without our synonyms`, of(bare), base),
      ...compared(where, found, { name: 'MiniSearch as it comes', found: of(mini), least: 1.25 }),
    ]
  })
  return Promise.resolve(rows)
}

function bestOf(
  grid: readonly Bm25[],
  questions: readonly Question[],
  make: (options: Bm25) => Ranking,
  passages: readonly Passage[],
): Bm25 {
  const worth = (options: Bm25) => {
    const { ndcg, recall } = meanQuality(questions, make(options), passages)
    return ndcg + recall
  }
  return grid
    .map((options) => ({ options, worth: worth(options) }))
    .reduce((best, one) => (one.worth > best.worth ? one : best)).options
}

/** Our own ranking, a page being a text. */
function ours(passages: readonly Passage[], tuning = DEFAULT_TUNING): Ranking {
  const pages = [...new Set(passages.map(({ page }) => page))]
  const sources = new Map(pages.map((page, at) => [page, at]))
  const shelf = buildSegment(
    passages.map(({ id, page, title, headings, text }) => ({
      ...{ id, source: sources.get(page)! },
      title: termsOf(title),
      headings: termsOf(headings.join('\n')),
      body: termsOf(text),
    })),
  )
  const known = passages.flatMap(({ title, headings, text }) => [title, ...headings, text])
  const words = spellings(known.join('\n'))
  const segments = [{ segment: shelf, isDeleted: () => false }]
  const reader = { segments, similarSpellings: (word: string) => nearest(word, words) }
  return (text, limit) => rank({ text, limit }, reader, tuning).map(({ id }) => id)
}

const nearest = (word: string, words: readonly string[]): string[] =>
  words
    .filter((one) => one[0] === word[0] && Math.abs(one.length - word.length) <= 2)
    .map((one) => ({ one, away: distance(word, one) }))
    .filter(({ away }) => away <= 2)
    .sort((a, b) => a.away - b.away)
    .slice(0, 5)
    .map(({ one }) => one)

function compared(
  where: string,
  subject: Quality,
  base: { name: string; found: Quality; least?: number },
): Row[] {
  return (['ndcg', 'recall'] as const).map((measure) => ({
    ...{ group: 'quality', what: `${MEASURES[measure]}, ${where}`, unit: '×' },
    yardstick: base.name,
    ...(base.least !== undefined && { target: { least: base.least } }),
    figure: spreadOf([subject[measure] / base.found[measure]]),
    note: `${subject[measure].toFixed(3)} against ${base.found[measure].toFixed(3)}`,
  }))
}
