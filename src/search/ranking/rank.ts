import { type Candidate, type LatentTuning, rerankByLatent } from '../latent/rerank.ts'
import { Corpus, type LiveSegment, type PassageRef } from '../segments/corpus.ts'
import type { Vocabulary } from '../words/vocabulary.ts'
import { withoutWords } from './exclusion.ts'
import { expand } from './feedback.ts'
import { bodyOf, continues } from './overlap.ts'
import { PassageScores } from './passage-scores.ts'
import { phraseShare, proximityScorer } from './proximity.ts'
import { type ParsedQuestion, parseQuestion } from './question.ts'

export type { LiveSegment } from '../segments/corpus.ts'

export interface RankRequest {
  /** A question, or a text to find similar ones to. */
  text: string
  limit: number
  /** As in `PassageQuery`. */
  isTyped?: boolean
  without?: readonly string[]
  /** Ranks by words alone, without feedback, distances and latent vectors. */
  isQuick?: boolean
}

export interface RankSource {
  segments: readonly LiveSegment[]
  readonly vocabulary: Vocabulary
}

export interface Hit {
  id: number
  score: number
}

export interface Tuning extends LatentTuning {
  k1: number
  title: number
  headings: number
  titleB: number
  bodyB: number
  synonym: number
  repaired: number
  joined: number
  completed: number
  company: number
  companyWords: number
  /** Longer questions need less help: synonyms and coverage count less, and rarity more. */
  fullWords: number
  /** Exponents of rarity, in questions of up to `fullWords` words and in very long ones. */
  rarity: number
  longRarity: number
  shortest: number
  /** Weight of the score of the whole text that a passage is from. */
  source: number
  /** Bonus for passages that match more concepts of the question. */
  coverage: number
  feedbackLeaves: number
  feedbackTerms: number
  feedback: number
  nearness: number
  /** Bonus for passages that contain the quoted phrases. */
  phrase: number
}

export const DEFAULT_TUNING: Tuning = {
  k1: 1,
  title: 2,
  headings: 2,
  titleB: 0.4,
  bodyB: 0.75,
  synonym: 0.5,
  repaired: 0.8,
  joined: 0.5,
  completed: 0.9,
  company: 0.15,
  companyWords: 3,
  fullWords: 8,
  rarity: 0.65,
  longRarity: 1,
  shortest: 0.3,
  source: 0.8,
  coverage: 0.25,
  feedbackLeaves: 5,
  feedbackTerms: 25,
  feedback: 0.18,
  nearness: 0.35,
  phrase: 1,
  latent: 0.05,
  minLatent: 0.15,
  maxLatent: 0.6,
  refinement: 0.5,
  refiningPassages: 5,
}

/** Number of candidates that are reranked, without and with quoted phrases. */
const RERANKED = 300
const RERANKED_WITH_PHRASES = 2000

/** Ranks the passages that answer a question, best first. */
export function rank(
  request: RankRequest,
  source: RankSource,
  tuning: Tuning = DEFAULT_TUNING,
): Hit[] {
  const segments = withoutWords(source.segments, request.without)
  const corpus = new Corpus(segments)
  const lexicon = {
    corpus,
    get vocabulary() {
      return source.vocabulary
    },
  }
  const question = parseQuestion(request, lexicon, tuning)
  if (!question.concepts.length) return []
  const candidates = candidatesFor(question, corpus, request, tuning)
  if (!request.isQuick) rerankByLatent(candidates, question, tuning)
  candidates.sort(byScore)
  return dropOverlaps(candidates, request.limit).map(({ ref, score }) => ({ id: idOf(ref), score }))
}

/** The best passages by words, by feedback and by the distances between words, best first. */
function candidatesFor(
  question: ParsedQuestion,
  corpus: Corpus,
  { limit, isQuick }: RankRequest,
  tuning: Tuning,
): Candidate[] {
  const weights = weightsFor(question, tuning)
  const scores = new PassageScores(corpus, weights)
  for (const concept of question.concepts) scores.addConcept(concept)
  if (isQuick)
    return scores.best(limit).map(({ index, score }) => ({ ref: corpus.locate(index), score }))
  const best = scores.best(tuning.feedbackLeaves)
  for (const concept of expand(best, question, corpus, weights)) scores.addSuggestion(concept)
  const proximityOf = proximityScorer(question, corpus)
  const reranked = question.phrases.length ? RERANKED_WITH_PHRASES : RERANKED
  const candidates = scores.best(Math.max(reranked, limit)).map(({ index, score }): Candidate => {
    const ref = corpus.locate(index)
    const base = score + tuning.nearness * proximityOf(ref)
    const share = phraseShare(ref, question.phrases)
    return { ref, score: base * (1 + tuning.phrase * share) }
  })
  return candidates.sort(byScore)
}

/** The weights for the length of a question. */
function weightsFor({ length }: ParsedQuestion, tuning: Tuning): Tuning {
  const brevity = Math.min(1, tuning.fullWords / length)
  const between = (short: number, long: number) => short * brevity + long * (1 - brevity)
  return {
    ...tuning,
    coverage: between(tuning.coverage, 0),
    rarity: between(tuning.rarity, tuning.longRarity),
  }
}

const byScore = (a: Candidate, b: Candidate) => b.score - a.score || idOf(a.ref) - idOf(b.ref)
const idOf = ({ segment, row }: PassageRef) => segment.segment.column('id')[row]!

/** Drops passages that overlap a better one of the same text. */
function dropOverlaps(candidates: readonly Candidate[], limit: number): Candidate[] {
  const distinct: Candidate[] = []
  const bySource = new Map<number, Uint32Array[]>()
  for (const candidate of candidates) {
    if (distinct.length === limit) break
    const { segment: live, row } = candidate.ref
    const source = live.segment.column('source')[row]!
    const bodies = bySource.get(source) ?? []
    const body = bodyOf(live.segment, row)
    if (bodies.some((other) => continues(other, body) || continues(body, other))) continue
    distinct.push(candidate)
    bySource.set(source, [...bodies, body])
  }
  return distinct
}
