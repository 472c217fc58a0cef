import type { Corpus } from '../segments/corpus.ts'
import { STOPS } from '../words/stop-words.ts'
import { synonymsOf } from '../words/synonyms.ts'
import { hashOf, type Word, withoutStopWords } from '../words/terms.ts'
import type { Vocabulary } from '../words/vocabulary.ts'
import { fold } from '../words/words.ts'
import type { Concept } from './concept.ts'
import { cooccurringTerms } from './cooccurrence.ts'
import { type QuestionWord, questionWords } from './question-words.ts'
import { separateWords } from './separate-words.ts'
import { type SimilarWordsTuning, similarTerms } from './similar-words.ts'

export interface ParsedQuestion {
  concepts: Concept[]
  /** The number of words that are not common, at least 1. */
  length: number
  /** Sequences of terms that were quoted. */
  phrases: number[][]
}

export interface ConceptTuning extends SimilarWordsTuning {
  /** Weight of a synonym; the word itself weighs 1. */
  synonym: number
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
/** Words in fewer passages are looked up in the vocabulary: at most this many of a question. */
const RARE = 5
const MAX_LOOKUPS = 8

export interface AskedQuestion {
  text: string
  isTyped?: boolean
}

/** Where the words of a question are looked up. */
export interface Lexicon {
  corpus: Corpus
  readonly vocabulary: Vocabulary
}

export function parseQuestion(
  { text, isTyped = false }: AskedQuestion,
  lexicon: Lexicon,
  tuning: ConceptTuning,
): ParsedQuestion {
  const { corpus } = lexicon
  const incomplete = isTyped ? incompleteWord(text) : undefined
  const words = withoutStopWords(questionWords(text, corpus, MAX_READ))
  const salientWords = salient(words, corpus, tuning.fullWords)
  const synonym = tuning.synonym * Math.min(1, tuning.fullWords / salientWords.length)
  const compounds = compoundsOf(words, corpus)
  const phrases = phrasesOf(text, corpus, isTyped)
  let lookups = 0
  const concepts = salientWords.map(({ word, weight }): Concept => {
    const term = word.term
    const isIncomplete = word.word === incomplete
    const isRare = corpus.documentFrequency(term) < RARE
    const typed = { word: word.word, isTyped, isIncomplete }
    const isLookedUp = (isRare || isIncomplete) && lookups++ < MAX_LOOKUPS
    const separate = isTyped && isRare && isLookedUp ? separateWords(word.word, corpus) : []
    if (separate.length) phrases.push(separate)
    const terms = [
      { term, weight: 1 },
      ...(word.otherStem ? [{ term: hashOf(word.otherStem), weight: tuning.repaired }] : []),
      ...separate.map((part) => ({ term: part, weight: tuning.repaired })),
      ...(isLookedUp && !separate.length
        ? similarTerms(typed, { ...{ corpus, tuning }, vocabulary: lexicon.vocabulary })
        : []),
      ...(compounds.get(word.stem) ?? []).map((compound) => ({
        term: compound,
        weight: tuning.joined,
      })),
      ...[...synonymsOf(word.stem)].map((stem) => ({ term: hashOf(stem), weight: synonym })),
      ...(word.isUnspaced ? [] : cooccurringTerms(term, corpus, tuning)),
    ]
    return {
      terms: terms.filter((weighted) => corpus.documentFrequency(weighted.term) > 0),
      weight,
    }
  })
  return {
    concepts: concepts.filter(({ terms }) => terms.length),
    length: lengthOf(salientWords, corpus),
    phrases,
  }
}

/** How much of a word a character or a pair is in scripts without spaces, if it is not common. */
const SHARE_OF_WORD = 0.25

/** The number of known words that are not common, at least 1. */
function lengthOf(words: readonly { word: Word }[], corpus: Corpus): number {
  let length = 0
  for (const { word } of words) {
    const term = word.term
    if (!corpus.documentFrequency(term) || corpus.isCommon(term)) continue
    length += word.isUnspaced ? SHARE_OF_WORD : 1
  }
  return Math.max(1, length)
}

/** The rarest words of a question, weighted by their count; in a short one, by its root. */
function salient(
  words: readonly QuestionWord[],
  corpus: Corpus,
  fullWords: number,
): { word: QuestionWord; weight: number }[] {
  const counts = new Map<string, { word: QuestionWord; count: number }>()
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
    corpus.documentFrequency(word.term) ? weight * corpus.rarity(word.term) : 0
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
    const compound = hashOf(questionWords(word + next.word, corpus)[0]?.stem ?? '')
    if (!corpus.documentFrequency(compound)) continue
    for (const part of [stem, next.stem])
      compounds.set(part, [...(compounds.get(part) ?? []), compound])
  }
  return compounds
}

const LAST_WORD = /[\p{L}\p{M}\p{N}]{1,60}$/u

/** The last word, if nothing follows it, not even a space, and it is not quoted. */
function incompleteWord(text: string): string | undefined {
  const isQuoted = text.split('"').length % 2 === 0
  const [word] = isQuoted ? [] : (LAST_WORD.exec(text.slice(-MAX_READ)) ?? [])
  return word && fold(word)
}

/** Quoted phrases, and versions such as 1.2.3; in a typed question also names such as node.js. */
const PHRASE = /"([^"]{2,200})"|\p{N}+(?:\.\p{N}+)+/gu
const TYPED_PHRASE = /"([^"]{2,200})"|[\p{L}\p{N}]+(?:[-./:@_][\p{L}\p{N}]+)+/gu

function phrasesOf(text: string, corpus: Corpus, isTyped: boolean): number[][] {
  return [...text.slice(0, MAX_READ).matchAll(isTyped ? TYPED_PHRASE : PHRASE)]
    .slice(0, MAX_PHRASES)
    .map(([whole, phrase = whole]) =>
      questionWords(phrase, corpus).filter(({ word }) => !STOPS.has(word)),
    )
    .filter((words) => words.length > 1)
    .map((words) => words.map(({ stem }) => hashOf(stem)))
}
