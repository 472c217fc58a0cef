import type { Corpus } from '../segments/corpus.ts'
import { STOPS } from '../words/stop-words.ts'
import type { Vocabulary } from '../words/vocabulary.ts'
import type { WeightedTerm } from './concept.ts'
import { termOf } from './question-words.ts'

export interface SimilarWordsTuning {
  /** Weight of the correction of a misspelled word. */
  repaired: number
  /** Weight of a compound of two adjacent words, or with a word. */
  joined: number
  /** Weight of a word of which the last, incomplete word is the beginning. */
  completed: number
}

export interface WordSource {
  corpus: Corpus
  vocabulary: Vocabulary
  tuning: SimilarWordsTuning
}

/** A word of a question that is rare, or perhaps incomplete. */
export interface UnclearWord {
  word: string
  /** From a search box: it may have typos even if a few texts contain it. */
  isTyped: boolean
  /** It is the last word of a search box, so it may be incomplete. */
  isIncomplete: boolean
}

/** A word in fewer passages than this may be a typo. */
const FEW_PASSAGES = 5
const MAX_CORRECTIONS = 3
const MAX_COMPLETIONS = 30
const MIN_COMPOUND_PART = 5
const MAX_COMPOUNDS = 10
/** Minimum lengths of the parts of two words written as one. */
const MIN_PART = 3
/** Each typo reduces the weight by this factor. */
const WEIGHT_PER_TYPO = 0.8

/** Terms that a word of a question may mean besides itself. */
export function similarTerms(unclear: UnclearWord, source: WordSource): WeightedTerm[] {
  const { word, isTyped, isIncomplete } = unclear
  const passages = frequencyOf(word, source)
  const completions = isIncomplete ? completionsOf(word, source) : []
  if (passages >= FEW_PASSAGES || completions.length >= FEW_PASSAGES) return completions
  const compounds = compoundsOf(word, source)
  if (passages && !isTyped) return [...completions, ...compounds]
  const corrections = correctionsOf(word, source, isTyped)
  const parts = passages || corrections.length ? [] : partsOf(word, source)
  return [...completions, ...compounds, ...corrections, ...parts]
}

const frequencyOf = (word: string, source: WordSource): number =>
  source.corpus.documentFrequency(termOf(word, source.corpus))

/** The terms in the most passages, most frequent first. */
const mostFrequent = (terms: readonly number[], { corpus }: WordSource, limit: number): number[] =>
  [...new Set(terms)]
    .map((term) => ({ term, passages: corpus.documentFrequency(term) }))
    .filter(({ passages }) => passages)
    .sort((a, b) => b.passages - a.passages || a.term - b.term)
    .slice(0, limit)
    .map(({ term }) => term)

/** Reduces the weight of a term that is rarer than another, so that it does not outrank it. */
const cappedWeight = (weight: number, term: number, other: number, { corpus }: WordSource) =>
  weight * Math.min(1, corpus.rarity(other) / corpus.rarity(term))

function completionsOf(start: string, source: WordSource): WeightedTerm[] {
  const word = termOf(start, source.corpus)
  const longer = source.vocabulary.startingWith(start).filter((term) => term !== word)
  const terms = mostFrequent(longer, source, MAX_COMPLETIONS)
  const first = frequencyOf(start, source) ? word : terms[0]
  const { completed } = source.tuning
  return terms.map((term) => ({ term, weight: cappedWeight(completed, term, first!, source) }))
}

/** In a question, a correct word that no text contains is likelier than a wrong first letter. */
const isLikelier = (similar: string, word: string) => !STOPS.has(similar) && similar[0] === word[0]

/** The nearest words with typos; of equally near ones the most frequent. */
function correctionsOf(word: string, source: WordSource, isTyped: boolean): WeightedTerm[] {
  const own = termOf(word, source.corpus)
  const isKnown = source.corpus.documentFrequency(own) > 0
  const similar = source.vocabulary
    .similarTo(word)
    .filter((other) => other.term !== own && (isTyped || isLikelier(other.word, word)))
  for (const typos of [1, 2]) {
    const terms = similar.filter((other) => other.typos === typos).map(({ term }) => term)
    const nearest = mostFrequent(terms, source, isTyped ? MAX_CORRECTIONS : 1)
    const weight = source.tuning.repaired * WEIGHT_PER_TYPO ** (typos - 1)
    if (nearest.length)
      return nearest.map((term) => ({
        ...{ term, weight: isKnown ? cappedWeight(weight, term, own, source) : weight },
      }))
  }
  return []
}

/** Compounds with this word, such as Bushaltestelle for Haltestelle. */
function compoundsOf(word: string, source: WordSource): WeightedTerm[] {
  if (word.length < MIN_COMPOUND_PART) return []
  const own = termOf(word, source.corpus)
  const longer = source.vocabulary.compoundsOf(word).filter((term) => term !== own)
  const weight = source.tuning.joined
  return mostFrequent(longer, source, MAX_COMPOUNDS).map((term) => ({ term, weight }))
}

/** The parts of an unknown word: two words written as one, or a compound with a known end. */
function partsOf(word: string, source: WordSource): WeightedTerm[] {
  const { repaired, joined } = source.tuning
  for (let at = MIN_PART; at <= word.length - MIN_PART; at++) {
    const parts = [word.slice(0, at), word.slice(at)]
    if (parts.every((part) => frequencyOf(part, source)))
      return parts.map((part) => ({ term: termOf(part, source.corpus), weight: repaired }))
  }
  for (let at = MIN_PART; at <= word.length - MIN_COMPOUND_PART; at++) {
    const end = word.slice(at)
    if (frequencyOf(end, source)) return [{ term: termOf(end, source.corpus), weight: joined }]
  }
  return []
}
