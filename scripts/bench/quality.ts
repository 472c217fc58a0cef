import { resultOf, trainModel } from '../../src/search/latent/train.ts'
import { DEFAULT_TUNING, rank } from '../../src/search/ranking/rank.ts'
import { buildSegment } from '../../src/search/segments/segment.ts'
import { termsOf } from '../../src/search/words/terms.ts'
import { knownWords, WordList } from '../../src/search/words/vocabulary.ts'
import { type Bm25, bm25, miniSearch, type Ranking } from './baseline-rankings.ts'
import { type Passage, passagesOfDocs, type Question, questionsOf } from './corpus.ts'
import type { Row } from './report.ts'
import { spreadOf } from './sample.ts'

const MEASURES = { ndcg: 'nDCG@10', recall: 'recall@10' } as const
const GRID: Bm25[] = [0.3, 0.5, 0.7, 0.9, 1.2, 1.6, 2].flatMap((k1) =>
  [0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 1].map((b) => ({ k1, b })),
)

/**
 * Compares our search ranking with two others, by questions that use other words than the answers.
 * Rankings are tuned on the odd half of the questions; bench/search/README.md says how the even half
 * is used.
 */
export function quality(): Promise<Row[]> {
  const passages = passagesOfDocs()
  const rankingFor = bm25(passages)
  const best = bestOptions(GRID, questionsOf('odd'), rankingFor, passages)
  const plain = rankingFor(best)
  const mini = miniSearch(passages)
  const subject = ourRanking(passages)
  const withoutSynonyms = ourRanking(passages, { ...DEFAULT_TUNING, synonym: 0 })
  const rows = (['odd', 'even'] as const).flatMap((half) => {
    const questions = questionsOf(half)
    const measure = (ranking: Ranking) => meanQuality(questions, ranking, passages)
    const where = `${questions.length} ${half} questions, ${passages.length} passages`
    const quality = measure(subject)
    const name = `BM25 with stems, k1 ${best.k1}, b ${best.b}`
    const baseline = { name, quality: measure(plain) }
    return [
      ...rowsOf(where, quality, { ...baseline, min: 1.1 }),
      ...rowsOf(`${where}, without our synonyms`, measure(withoutSynonyms), baseline),
      ...rowsOf(where, quality, {
        ...{ name: 'MiniSearch with its defaults', quality: measure(mini), min: 1.25 },
      }),
    ]
  })
  return Promise.resolve(rows)
}

/** The options with the highest quality. */
function bestOptions(
  grid: readonly Bm25[],
  questions: readonly Question[],
  rankingFor: (options: Bm25) => Ranking,
  passages: readonly Passage[],
): Bm25 {
  const scoreOf = (options: Bm25) => {
    const { ndcg, recall } = meanQuality(questions, rankingFor(options), passages)
    return ndcg + recall
  }
  return grid
    .map((options) => ({ options, score: scoreOf(options) }))
    .reduce((best, one) => (one.score > best.score ? one : best)).options
}

/** Our own ranking. Each page counts as one text. */
function ourRanking(passages: readonly Passage[], tuning = DEFAULT_TUNING): Ranking {
  const pages = [...new Set(passages.map(({ page }) => page))]
  const sources = new Map(pages.map((page, at) => [page, at]))
  const indexed = passages.map(({ id, page, title, headings, text }) => ({
    ...{ id, source: sources.get(page)! },
    title: termsOf(title),
    headings: termsOf(headings.join('\n')),
    body: termsOf(text),
  }))
  const texts = passages.flatMap(({ title, headings, text }) => [title, ...headings, text])
  const words = knownWords(texts.join('\n'))
  const model = resultOf(trainModel(indexed))?.model
  const segments = [{ segment: buildSegment(indexed), isDeleted: () => false, model }]
  const reader = { segments, vocabulary: WordList.of(words) }
  return (text, limit) => rank({ text, limit }, reader, tuning).map(({ id }) => id)
}

function rowsOf(
  where: string,
  subject: Quality,
  baseline: { name: string; quality: Quality; min?: number },
): Row[] {
  return (['ndcg', 'recall'] as const).map((measure) => ({
    ...{ group: 'quality', measurement: `${MEASURES[measure]}, ${where}`, unit: '×' },
    baselineName: baseline.name,
    ...(baseline.min !== undefined && { target: { min: baseline.min } }),
    figure: spreadOf([subject[measure] / baseline.quality[measure]]),
    note: `${subject[measure].toFixed(3)} against ${baseline.quality[measure].toFixed(3)}`,
  }))
}

interface Quality {
  ndcg: number
  recall: number
}

/** The number of sections that the measures consider. */
const TOP = 10
/** More than that, because several passages may belong to one section. */
const RANKED_PASSAGES = 100

const gain = (grade: number) => 2 ** grade - 1
const discounted = (gains: readonly number[]) =>
  gains.reduce((sum, one, at) => sum + one / Math.log2(at + 2), 0)

/** Measures the first ten sections that a ranking finds for a question. */
function qualityOf(
  { question, grades }: Question,
  rank: Ranking,
  passages: readonly Passage[],
): Quality {
  const sections = new Set<string>()
  for (const id of rank(question, RANKED_PASSAGES)) {
    sections.add(passages[id]!.section)
    if (sections.size === TOP) break
  }
  const found = [...sections].map((section) => grades.get(section) ?? 0)
  const ideal = [...grades.values()].sort((a, b) => b - a).slice(0, TOP)
  return {
    ndcg: discounted(found.map(gain)) / discounted(ideal.map(gain)),
    recall: found.filter((grade) => grade > 0).length / grades.size,
  }
}

/** The mean quality over questions. */
function meanQuality(
  questions: readonly Question[],
  rank: Ranking,
  passages: readonly Passage[],
): Quality {
  const all = questions.map((question) => qualityOf(question, rank, passages))
  const mean = (pick: (one: Quality) => number) =>
    all.reduce((sum, one) => sum + pick(one), 0) / all.length
  return { ndcg: mean(({ ndcg }) => ndcg), recall: mean(({ recall }) => recall) }
}
