import type { Corpus } from '../segments/corpus.ts'
import { STOP_TERMS } from '../words/terms.ts'
import type { Concept } from './concept.ts'
import type { ScoredPassage } from './passage-scores.ts'
import type { ParsedQuestion } from './question.ts'

export interface FeedbackTuning {
  feedbackTerms: number
  feedback: number
}

/** Expands a question with the most significant words of its best passages. */
export function expand(
  best: readonly ScoredPassage[],
  question: ParsedQuestion,
  corpus: Corpus,
  { feedbackTerms, feedback }: FeedbackTuning,
): Concept[] {
  const questionTerms = new Set(
    question.concepts.flatMap(({ terms }) => terms.map(({ term }) => term)),
  )
  const expansion = wordsOf(best, corpus)
    .filter(({ term }) => !questionTerms.has(term) && !STOP_TERMS.has(term))
    .slice(0, feedbackTerms * 2)
    .filter(({ term }) => corpus.documentFrequency(term) > 1)
    .map(({ term, share }) => ({ term, worth: share * corpus.rarity(term) }))
    .sort((a, b) => b.worth - a.worth || a.term - b.term)
    .slice(0, feedbackTerms)
  const top = expansion[0]?.worth ?? 1
  return expansion.map(({ term, worth }) => ({
    terms: [{ term, weight: 1 }],
    weight: (feedback * worth) / top,
  }))
}

/** The words of passages, sorted by how specific they are to these passages. */
function wordsOf(
  best: readonly ScoredPassage[],
  corpus: Corpus,
): { term: number; share: number }[] {
  const top = best[0]?.score ?? 0
  const words = new Map<number, { term: number; share: number; rarity: number }>()
  for (const { index: place, score } of best) {
    const { segment: live, row } = corpus.locate(place)
    const { segment } = live
    const counts = new Map<number, number>()
    for (const number of segment.read(row)) counts.set(number, (counts.get(number) ?? 0) + 1)
    for (const [number, count] of counts) {
      const term = segment.terms[number]!
      const rarity = Math.log((segment.size + 1) / segment.documentFrequency(number))
      const word = words.get(term) ?? { term, share: 0, rarity }
      word.share += (score / top) * (count / (count + 1))
      words.set(term, word)
    }
  }
  return [...words.values()].sort(
    (a, b) => b.share * b.rarity - a.share * a.rarity || a.term - b.term,
  )
}
