import type { WeightedTerm } from './concept.ts'
import type { Corpus } from './corpus.ts'
import { STOPS } from './stop-words.ts'
import { hashOf, readWords } from './terms.ts'
import { typosBetween } from './typos.ts'
import type { Vocabulary } from './vocabulary.ts'

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

/** A word of a question. */
export interface AskedWord {
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
const MIN_LAST_PART = 2
/** Each typo reduces the weight by this factor. */
const WEIGHT_PER_TYPO = 0.8

/** Terms that a word of a question may mean besides itself. */
export function similarTerms(asked: AskedWord, source: WordSource): WeightedTerm[] {
  const { word, isTyped, isIncomplete } = asked
  const passages = frequencyOf(word, source)
  const completions = isIncomplete ? completionsOf(word, source) : []
  if (passages >= FEW_PASSAGES || completions.length >= FEW_PASSAGES) return completions
  const compounds = compoundsOf(word, source)
  if (passages && !isTyped) return [...completions, ...compounds]
  const corrections = correctionsOf(word, source, isTyped)
  const parts = passages || corrections.length ? [] : partsOf(word, source, isTyped)
  return [...completions, ...compounds, ...corrections, ...parts]
}

const termOf = (word: string): number => hashOf(readWords(word)[0]?.stem ?? '')

const frequencyOf = (word: string, { corpus }: WordSource): number =>
  corpus.documentFrequency(termOf(word))

/** The words in the most passages, most frequent first. */
const mostFrequent = (words: readonly string[], source: WordSource, limit: number): string[] =>
  words
    .map((word) => ({ word, passages: frequencyOf(word, source) }))
    .filter(({ passages }) => passages)
    .sort((a, b) => b.passages - a.passages || (a.word < b.word ? -1 : 1))
    .slice(0, limit)
    .map(({ word }) => word)

function completionsOf(start: string, source: WordSource): WeightedTerm[] {
  const words = source.vocabulary.startingWith(start)
  const weight = source.tuning.completed
  const terms = new Set(mostFrequent(words, source, MAX_COMPLETIONS).map(termOf))
  terms.delete(termOf(start))
  return [...terms].map((term) => ({ term, weight }))
}

/** In a question, a correct word that no text contains is likelier than a wrong first letter. */
const isLikelier = (similar: string, word: string) => !STOPS.has(similar) && similar[0] === word[0]

/** The nearest words with typos; of equally near ones the most frequent. */
function correctionsOf(word: string, source: WordSource, isTyped: boolean): WeightedTerm[] {
  const byTypos = Map.groupBy(
    source.vocabulary.similarTo(word).filter((similar) => isTyped || isLikelier(similar, word)),
    (similar) => typosBetween(word, similar) ?? 0,
  )
  for (const typos of [1, 2]) {
    const nearest = mostFrequent(byTypos.get(typos) ?? [], source, isTyped ? MAX_CORRECTIONS : 1)
    const weight = source.tuning.repaired * WEIGHT_PER_TYPO ** (typos - 1)
    if (nearest.length) return nearest.map((similar) => ({ term: termOf(similar), weight }))
  }
  return []
}

/** Compounds with this word, such as Bushaltestelle for Haltestelle. */
function compoundsOf(word: string, source: WordSource): WeightedTerm[] {
  if (word.length < MIN_COMPOUND_PART) return []
  const longer = source.vocabulary.compoundsOf(word)
  const weight = source.tuning.joined
  return mostFrequent(longer, source, MAX_COMPOUNDS)
    .map(termOf)
    .filter((term) => term !== termOf(word))
    .map((term) => ({ term, weight }))
}

/** The parts of an unknown word: two words written as one, or a compound with a known end. */
function partsOf(word: string, source: WordSource, isTyped: boolean): WeightedTerm[] {
  const { repaired, joined } = source.tuning
  const minLast = isTyped ? MIN_LAST_PART : MIN_PART
  for (let at = MIN_PART; at <= word.length - minLast; at++) {
    const parts = [word.slice(0, at), word.slice(at)]
    if (parts.every((part) => frequencyOf(part, source)))
      return parts.map((part) => ({ term: termOf(part), weight: repaired }))
  }
  for (let at = MIN_PART; at <= word.length - MIN_COMPOUND_PART; at++) {
    const end = word.slice(at)
    if (frequencyOf(end, source)) return [{ term: termOf(end), weight: joined }]
  }
  return []
}
