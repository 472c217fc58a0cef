import type { Corpus, PassageRef } from '../segments/corpus.ts'
import type { Segment } from '../segments/segment.ts'
import { STOP_TERMS } from '../words/terms.ts'
import type { Concept } from './concept.ts'
import { MAX_CONCEPTS, type ParsedQuestion } from './question.ts'

/** Words further apart than this count as unrelated. */
const WINDOW = 10
/** Questions of up to this many words count every pair; longer ones have too many pairs. */
const FULL_WORDS = 5

/** Scores how close the matching words of a passage are to each other. */
export function proximityScorer(
  { concepts, length }: Pick<ParsedQuestion, 'concepts' | 'length'>,
  corpus: Corpus,
): (spot: PassageRef) => number {
  const weights = concepts.map(({ terms, weight }) => weight * corpus.rarity(terms[0]!.term))
  const share = Math.min(1, (FULL_WORDS - 1) / (length - 1))
  const cache = new Map<Segment, Map<number, number>>()
  return ({ segment: { segment }, row }) => {
    const conceptOf = cache.get(segment) ?? conceptsByTerm(segment, concepts)
    cache.set(segment, conceptOf)
    let sum = 0
    for (const [pair, worth] of pairsOf(segment.read(row), conceptOf)) {
      const first = weights[Math.floor(pair / MAX_CONCEPTS)]!
      sum += worth * Math.min(first, weights[pair % MAX_CONCEPTS]!)
    }
    return sum * share
  }
}

/** Maps the term indexes of a segment to concepts. */
function conceptsByTerm(segment: Segment, concepts: readonly Concept[]): Map<number, number> {
  const conceptOf = new Map<number, number>()
  for (const [index, { terms }] of concepts.entries())
    for (const { term } of terms) {
      const number = segment.find(term)
      if (number >= 0 && !conceptOf.has(number)) conceptOf.set(number, index)
    }
  return conceptOf
}

/** For every pair of concepts, the inverse of their smallest distance in words. */
function pairsOf(words: Uint32Array, conceptOf: ReadonlyMap<number, number>): Map<number, number> {
  const last = new Map<number, number>()
  const pairs = new Map<number, number>()
  for (let at = 0; at < words.length; at++) {
    const concept = conceptOf.get(words[at]!)
    if (concept === undefined) continue
    for (const [other, position] of last) {
      if (other === concept || at - position > WINDOW) continue
      const pair = Math.min(concept, other) * MAX_CONCEPTS + Math.max(concept, other)
      pairs.set(pair, Math.max(pairs.get(pair) ?? 0, 1 / (at - position)))
    }
    last.set(concept, at)
  }
  return pairs
}

/** The share of the phrases that a passage contains; 0 without phrases. */
export function phraseShare(
  { segment: live, row }: PassageRef,
  phrases: readonly number[][],
): number {
  if (!phrases.length) return 0
  const { segment } = live
  const terms = segment.read(row).filter((number) => !STOP_TERMS.has(segment.terms[number]!))
  const matched = phrases.filter((phrase) => {
    const numbers = phrase.map((term) => segment.find(term))
    return terms.some((_, at) => numbers.every((number, offset) => terms[at + offset] === number))
  })
  return matched.length / phrases.length
}
