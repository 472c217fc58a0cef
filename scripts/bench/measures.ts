import type { Passage, Question } from './corpus.ts'
import type { Ranking } from './yardsticks.ts'

export interface Quality {
  ndcg: number
  recall: number
}

const FIRST = 10
/** Several passages may be of one section. */
const ASKED = 100

const gain = (grade: number) => 2 ** grade - 1
const discounted = (gains: readonly number[]) =>
  gains.reduce((sum, one, at) => sum + one / Math.log2(at + 2), 0)

/** What a question's first ten sections are worth; a section counts where it first comes up. */
export function qualityOf(
  { question, grades }: Question,
  rank: Ranking,
  passages: readonly Passage[],
): Quality {
  const sections = new Set<string>()
  for (const id of rank(question, ASKED)) {
    sections.add(passages[id]!.section)
    if (sections.size === FIRST) break
  }
  const found = [...sections].map((section) => grades.get(section) ?? 0)
  const ideal = [...grades.values()].sort((a, b) => b - a).slice(0, FIRST)
  return {
    ndcg: discounted(found.map(gain)) / discounted(ideal.map(gain)),
    recall: found.filter((grade) => grade > 0).length / grades.size,
  }
}

/** The mean over questions. */
export function meanQuality(
  questions: readonly Question[],
  rank: Ranking,
  passages: readonly Passage[],
): Quality {
  const all = questions.map((question) => qualityOf(question, rank, passages))
  const mean = (pick: (one: Quality) => number) =>
    all.reduce((sum, one) => sum + pick(one), 0) / all.length
  return { ndcg: mean(({ ndcg }) => ndcg), recall: mean(({ recall }) => recall) }
}
