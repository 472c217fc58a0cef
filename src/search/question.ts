import { distance } from 'fastest-levenshtein'
import type { Concept, WeightedTerm } from './concept.ts'
import { cooccurringTerms } from './cooccurrence.ts'
import type { Corpus } from './corpus.ts'
import { STOPS } from './stop-words.ts'
import { synonymsOf } from './synonyms.ts'
import { hashOf, readWords, type Word, withoutStopWords } from './terms.ts'
import { UNSPACED } from './words.ts'

export interface ParsedQuestion {
  concepts: Concept[]
  /** The number of words that are not common, at least 1. */
  length: number
  /** Sequences of terms that were quoted. */
  phrases: number[][]
}

export interface ConceptTuning {
  /** Weight of a synonym; the word itself weighs 1. */
  synonym: number
  /** Weight of the correction of a misspelled word. */
  repaired: number
  /** Weight of the compound of two adjacent words. */
  joined: number
  /** Weight and number of co-occurring words. */
  company: number
  companyWords: number
  /** In longer questions, synonyms weigh less and repeated words more. */
  fullWords: number
}

/** Limits of a question: characters read, words used, and so on. */
const MAX_READ = 10_000
export const MAX_CONCEPTS = 64
const MAX_PHRASES = 5
const MAX_COMPOUNDS = 40
const MIN_COMPOUND = 5
const MAX_REPAIRS = 8
/** Minimum lengths of words in which one or two typos are corrected. */
const ONE_EDIT_LENGTH = 4
const TWO_EDITS_LENGTH = 8

export function parseQuestion(
  text: string,
  corpus: Corpus,
  similarSpellings: (word: string) => readonly string[],
  tuning: ConceptTuning,
): ParsedQuestion {
  const words = withoutStopWords(readWords(text, MAX_READ))
  const salientWords = salient(words, corpus, tuning.fullWords)
  const synonym = tuning.synonym * Math.min(1, tuning.fullWords / salientWords.length)
  const compounds = compoundsOf(words, corpus)
  let repairs = 0
  const concepts = salientWords.map(({ word, weight }): Concept => {
    const term = hashOf(word.stem)
    const isMissing = corpus.documentFrequency(term) === 0 && repairs++ < MAX_REPAIRS
    const terms = [
      { term, weight: 1 },
      ...(isMissing ? repair(word.word, corpus, similarSpellings, tuning.repaired) : []),
      ...(compounds.get(word.stem) ?? []).map((compound) => ({
        term: compound,
        weight: tuning.joined,
      })),
      ...[...synonymsOf(word.stem)].map((stem) => ({ term: hashOf(stem), weight: synonym })),
      ...cooccurringTerms(term, corpus, tuning),
    ]
    return {
      terms: terms.filter((weighted) => corpus.documentFrequency(weighted.term) > 0),
      weight,
    }
  })
  return {
    concepts: concepts.filter(({ terms }) => terms.length),
    length: lengthOf(salientWords, corpus),
    phrases: phrasesOf(text),
  }
}

const UNSPACED_CHARACTER = new RegExp(`^[${UNSPACED}]`, 'u')
/** How much of a word a character is in scripts without spaces, without the common characters. */
const SHARE_OF_WORD = 0.25

/** The number of known words that are not common, at least 1. */
function lengthOf(words: readonly { word: Word }[], corpus: Corpus): number {
  let length = 0
  for (const { word } of words) {
    const term = hashOf(word.stem)
    if (!corpus.documentFrequency(term) || corpus.isCommon(term)) continue
    length += UNSPACED_CHARACTER.test(word.word) ? SHARE_OF_WORD : 1
  }
  return Math.max(1, length)
}

/** The rarest words of a question, weighted by their count; in a short one, by its root. */
function salient(
  words: readonly Word[],
  corpus: Corpus,
  fullWords: number,
): { word: Word; weight: number }[] {
  const counts = new Map<string, { word: Word; count: number }>()
  for (const word of words) {
    const before = counts.get(word.stem)
    if (before) before.count++
    else counts.set(word.stem, { word, count: 1 })
  }
  const weighted = [...counts.values()].map(({ word, count }) => ({
    word,
    weight: counts.size > fullWords ? count : Math.sqrt(count),
  }))
  if (weighted.length <= MAX_CONCEPTS) return weighted
  const rank = ({ word, weight }: { word: Word; weight: number }) =>
    corpus.documentFrequency(hashOf(word.stem)) ? weight * corpus.rarity(hashOf(word.stem)) : 0
  return weighted
    .map((item) => ({ one: item, rank: rank(item) }))
    .sort((a, b) => b.rank - a.rank)
    .slice(0, MAX_CONCEPTS)
    .map(({ one: item }) => item)
}

/** Compounds of adjacent words that the corpus writes as one, by the stem of each part. */
function compoundsOf(words: readonly Word[], corpus: Corpus): Map<string, number[]> {
  const compounds = new Map<string, number[]>()
  for (const [index, { word, stem }] of words.slice(0, MAX_COMPOUNDS).entries()) {
    const next = words[index + 1]
    if (!next || word.length + next.word.length < MIN_COMPOUND) continue
    const compound = hashOf(readWords(word + next.word)[0]?.stem ?? '')
    if (!corpus.documentFrequency(compound)) continue
    for (const part of [stem, next.stem])
      compounds.set(part, [...(compounds.get(part) ?? []), compound])
  }
  return compounds
}

/** Corrects a word that does not occur in the corpus: a typo, or two words written as one. */
function repair(
  word: string,
  corpus: Corpus,
  similarSpellings: (word: string) => readonly string[],
  weight: number,
): WeightedTerm[] {
  for (const candidate of similarSpellings(word).filter((spelling) => isTypo(word, spelling))) {
    const term = hashOf(readWords(candidate)[0]?.stem ?? '')
    if (corpus.documentFrequency(term)) return [{ term, weight }]
  }
  for (let at = 3; at <= word.length - 3; at++) {
    const parts = [word.slice(0, at), word.slice(at)].map((part) => readWords(part)[0]?.stem ?? '')
    const terms = parts.map(hashOf)
    if (terms.every((term) => corpus.documentFrequency(term)))
      return terms.map((term) => ({ term, weight }))
  }
  return []
}

/** Whether the words differ by one edit or one swap of neighbours; two edits in a long word. */
function isTypo(word: string, other: string): boolean {
  const maxEdits = word.length >= ONE_EDIT_LENGTH ? (word.length >= TWO_EDITS_LENGTH ? 2 : 1) : 0
  const edits = distance(word, other)
  if (edits <= maxEdits) return true
  const at = [...word].findIndex((letter, index) => letter !== other[index])
  const swapped = word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2)
  return maxEdits > 0 && swapped === other
}

function phrasesOf(text: string): number[][] {
  return [...text.slice(0, MAX_READ).matchAll(/"([^"]{2,200})"/g)]
    .slice(0, MAX_PHRASES)
    .map(([, phrase = '']) => readWords(phrase).filter(({ word }) => !STOPS.has(word)))
    .filter((words) => words.length > 1)
    .map((words) => words.map(({ stem }) => hashOf(stem)))
}
