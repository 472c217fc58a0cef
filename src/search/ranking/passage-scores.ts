import type { Corpus } from '../segments/corpus.ts'
import type { Segment } from '../segments/segment.ts'
import type { Concept } from './concept.ts'

export interface Weights {
  k1: number
  title: number
  headings: number
  titleB: number
  bodyB: number
  /** Minimum length that a short passage counts as, relative to the mean. */
  shortest: number
  /** Exponent of a term's rarity. */
  rarity: number
  /** Weight of the score of the whole text that a passage is from. */
  source: number
  /** Bonus for passages that match more concepts. */
  coverage: number
}

export interface ScoredPassage {
  index: number
  score: number
}

/** Exponent of the rarity of a common word. */
const COMMON_EXPONENT = 2

const byScore = (a: ScoredPassage, b: ScoredPassage) => b.score - a.score || a.index - b.index

/** Accumulates the score of every passage, and of every text. */
export class PassageScores {
  private readonly scores: Float32Array
  private readonly groupScores: Float32Array
  private readonly matchedConcepts: Uint8Array
  private readonly current: MaxAccumulator
  private readonly currentGroups: MaxAccumulator
  private concepts = 0

  constructor(
    private readonly corpus: Corpus,
    private readonly weights: Weights,
  ) {
    this.scores = new Float32Array(corpus.size)
    this.matchedConcepts = new Uint8Array(corpus.size)
    this.groupScores = new Float32Array(corpus.groups)
    this.current = new MaxAccumulator(corpus.size)
    this.currentGroups = new MaxAccumulator(corpus.groups)
  }

  /** Adds a concept of the question. Each passage scores the best of the concept's terms. */
  addConcept(concept: Concept): void {
    this.concepts++
    for (const { term, weight } of concept.terms) this.addTerm(term, weight * concept.weight)
    this.current.flushInto(this.scores, this.matchedConcepts)
    this.currentGroups.flushInto(this.groupScores)
  }

  /** Adds a concept from feedback, which does not count for coverage. */
  addSuggestion(concept: Concept): void {
    for (const { term, weight } of concept.terms) this.addTerm(term, weight * concept.weight)
    this.current.flushInto(this.scores)
    this.currentGroups.flushInto(this.groupScores)
  }

  private addTerm(term: number, weight: number): void {
    const { corpus, current, currentGroups } = this
    const exponent = corpus.isCommon(term) ? COMMON_EXPONENT : this.weights.rarity
    const weighted = corpus.rarity(term) ** exponent * weight
    corpus.eachSegment(term, (segment, number, at) => {
      const scoreIn = this.bm25f(segment)
      const start = corpus.starts[at]!
      const groupStart = corpus.groupStarts[at]!
      const { groupOf: of } = segment.groups
      segment.eachPassage(number, (row, inTitle, inHeadings, inBody) => {
        const score = weighted * scoreIn(row, inTitle, inHeadings, inBody)
        current.raise(start + row, score)
        currentGroups.raise(groupStart + of[row]!, score)
      })
    })
  }

  /** BM25F: counts are normalized by field length, and repeated occurrences saturate. */
  private bm25f(segment: Segment) {
    const { k1, title, headings, titleB, bodyB, shortest } = this.weights
    const { means } = this.corpus
    const titles = segment.lengths('title')
    const heads = segment.lengths('headings')
    const bodies = segment.lengths('body')
    const minLength = shortest * means.body
    return (row: number, inTitle: number, inHeadings: number, inBody: number): number => {
      let count = 0
      if (inTitle) count = (title * inTitle) / (1 - titleB + (titleB * titles[row]!) / means.title)
      if (inHeadings)
        count += (headings * inHeadings) / (1 - titleB + (titleB * heads[row]!) / means.headings)
      if (inBody) {
        const length = Math.max(minLength, bodies[row]!)
        count += inBody / (1 - bodyB + (bodyB * length) / means.body)
      }
      return ((k1 + 1) * count) / (k1 + count)
    }
  }

  /** The best passages that are not deleted, best first. */
  best(count: number): ScoredPassage[] {
    const { scores, matchedConcepts, groupScores, corpus } = this
    const { source, coverage } = this.weights
    const candidates: ScoredPassage[] = []
    let threshold = 0
    for (const [at, live] of corpus.segments.entries()) {
      const { segment } = live
      const ids = segment.column('id')
      const start = corpus.starts[at]!
      const groupStart = corpus.groupStarts[at]!
      const { groupOf: of, sizes } = segment.groups
      for (let row = 0; row < segment.size; row++) {
        const index = start + row
        const passageScore = scores[index]!
        if (!passageScore) continue
        const group = of[row]!
        const score =
          passageScore * (1 + (coverage * matchedConcepts[index]!) / this.concepts) +
          (source * groupScores[groupStart + group]!) / Math.sqrt(sizes[group]!)
        if (score <= threshold || live.isDeleted(ids[row]!)) continue
        candidates.push({ index, score })
        if (candidates.length < count * 2) continue
        candidates.sort(byScore).length = count
        threshold = candidates[count - 1]!.score
      }
    }
    return candidates.sort(byScore).slice(0, count)
  }
}

/** Keeps the maximum value per index, and which indexes have one. */
class MaxAccumulator {
  private readonly max: Float32Array
  private readonly touched: Uint32Array
  private count = 0

  constructor(size: number) {
    this.max = new Float32Array(size)
    this.touched = new Uint32Array(size)
  }

  raise(index: number, value: number): void {
    const before = this.max[index]!
    if (before >= value) return
    if (before === 0) this.touched[this.count++] = index
    this.max[index] = value
  }

  /** Adds the maxima to `target` and resets them. */
  flushInto(target: Float32Array, counts?: Uint8Array): void {
    for (let i = 0; i < this.count; i++) {
      const index = this.touched[i]!
      target[index]! += this.max[index]!
      if (counts) counts[index]!++
      this.max[index] = 0
    }
    this.count = 0
  }
}
