import type { ParsedQuestion } from '../ranking/question.ts'
import type { PassageRef } from '../segments/corpus.ts'
import { type Direction, dotProduct, type SubjectModel } from './latent-model.ts'

export interface Candidate {
  ref: PassageRef
  score: number
}

export interface LatentTuning {
  /** Weight of similar subjects for each word of a question, and the limits of that weight. */
  latent: number
  minLatent: number
  maxLatent: number
  /** Weight of the best passages in the direction of the question, and their number. */
  refinement: number
  refiningPassages: number
}

/** Number of candidates that are compared with the question. */
const COMPARED = 300

/**
 * Adds to the score by words how similar the subjects of passage and question are, by the models of
 * the boards. The highest score stays the unit, so that scores of several calls are comparable.
 * Passages of boards without a model keep their relative scores. Expects the best first.
 */
export function rerankByLatent(
  candidates: Candidate[],
  { concepts, length }: Pick<ParsedQuestion, 'concepts' | 'length'>,
  tuning: LatentTuning,
): void {
  const compared = candidates.slice(0, COMPARED)
  const highest = compared[0]?.score ?? 0
  const weights = concepts.map(
    ({ terms, weight }) => [terms[0]!.term, Math.log(1 + weight)] as const,
  )
  const views = viewsOf(compared, weights)
  if (!views.size || !highest) return
  const { latent, minLatent, maxLatent } = tuning
  const weight = Math.min(maxLatent, Math.max(minLatent, latent * length))
  const mixed = () => {
    const similarities = compared.map(({ ref }, at) => views.get(ref.segment.model)?.similarity(at))
    const largest = Math.max(...similarities.map((similarity) => similarity ?? 0)) || 1
    return compared.map(({ score }, at) => {
      const similarity = similarities[at]
      const share = similarity === undefined ? score / highest : similarity / largest
      return (score + weight * highest * share) / (1 + weight)
    })
  }
  refine(mixed(), [...views.values()], tuning)
  const scores = mixed()
  for (const [at, candidate] of candidates.entries())
    candidate.score = scores[at] ?? candidate.score / (1 + weight)
}

/** The question and the compared passages as one board's model sees them. */
class View {
  /** By the position of the candidate; undefined for passages without a known term. */
  readonly directions = new Map<number, Direction | undefined>()

  constructor(readonly question: Direction) {}

  /** Undefined for passages of other boards; never negative. */
  similarity(at: number): number | undefined {
    if (!this.directions.has(at)) return undefined
    const direction = this.directions.get(at)
    return direction ? Math.max(0, dotProduct(this.question, direction)) : 0
  }
}

function viewsOf(
  candidates: readonly Candidate[],
  weights: readonly (readonly [number, number])[],
): Map<SubjectModel | undefined, View> {
  const views = new Map<SubjectModel | undefined, View>()
  const unknown = new Set<SubjectModel>()
  for (const [at, { ref }] of candidates.entries()) {
    const { model, segment } = ref.segment
    if (!model || unknown.has(model)) continue
    let view = views.get(model)
    if (!view) {
      const question = model.directionOf(weights)
      if (!question) {
        unknown.add(model)
        continue
      }
      view = new View(question)
      views.set(model, view)
    }
    view.directions.set(at, model.passageDirection(segment, ref.row))
  }
  return views
}

/** Moves the question towards the best passages, as Rocchio's feedback does. */
function refine(
  scores: readonly number[],
  views: readonly View[],
  { refinement, refiningPassages }: LatentTuning,
): void {
  const best = scores
    .map((score, at) => ({ score, at }))
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, refiningPassages)
  for (const { at } of best)
    for (const { question, directions } of views) {
      const direction = directions.get(at)
      if (!direction) continue
      for (let dimension = 0; dimension < question.length; dimension++)
        question[dimension]! += (refinement / best.length) * direction[dimension]!
    }
}
