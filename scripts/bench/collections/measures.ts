import type { Query } from './collection.ts'

export const MEASURES = ['nDCG@10', 'recall@100', 'MAP'] as const
export type Measure = (typeof MEASURES)[number]
export type Quality = Record<Measure, number>

/** How many documents a ranking returns for each query. */
export const DEPTH = 100
const TOP = 10

const discounted = (grades: readonly number[]) =>
  grades.slice(0, TOP).reduce((sum, grade, at) => sum + grade / Math.log2(at + 2), 0)

/** Measures a ranking as trec_eval does: the gain is the grade, and MAP ends at `DEPTH`. */
export function qualityOf({ grades }: Query, ranking: readonly string[]): Quality {
  const found = ranking.slice(0, DEPTH).map((id) => grades.get(id) ?? 0)
  const ideal = [...grades.values()].sort((a, b) => b - a)
  let relevant = 0
  let precisions = 0
  for (const [at, grade] of found.entries()) if (grade) precisions += ++relevant / (at + 1)
  return {
    'nDCG@10': discounted(found) / discounted(ideal),
    'recall@100': relevant / grades.size,
    MAP: precisions / grades.size,
  }
}

export function meanOf(all: readonly Quality[]): Quality {
  const mean = (measure: Measure) => all.reduce((sum, one) => sum + one[measure], 0) / all.length
  return Object.fromEntries(MEASURES.map((measure) => [measure, mean(measure)])) as Quality
}
