import { stemmer } from 'stemmer'
import { germanStem, isGerman } from './german-stem.ts'
import { russianStem } from './russian-stem.ts'
import { STOPS } from './stop-words.ts'
import { fold, isPlain, UNSPACED } from './words.ts'

/** A word of a text, normalized for search. */
export interface Word {
  /** Folded, not stemmed. */
  word: string
  stem: string
  /** Whether it is a character, or a pair of them, of a script without spaces. */
  isUnspaced: boolean
}

/** A long vowel mark belongs to the character before it. */
const CHARACTER = `[${UNSPACED}][\\p{M}ーｰ]*`
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u')
const WORD = new RegExp(
  `${CHARACTER}|\\p{Extended_Pictographic}|(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}])+`,
  'gu',
)
const PLAIN_WORD = /[A-Za-z0-9]+/g
/** Splits names such as readFile, HTMLElement and utf8Decode into parts. */
const PARTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g
const IS_JOINED = /[a-z][A-Z]|[A-Z]{2}[a-z]/
const IS_LATIN = /^[a-z]+$/
const MAX_LENGTH = 60

/**
 * The words of a text in order, stop words included; names from code as a whole and in parts. In
 * scripts without spaces, each character and each pair of neighbouring characters is a word.
 */
export function readWords(text: string, limit = Number.POSITIVE_INFINITY): Word[] {
  const pattern = new RegExp(isPlain(text) ? PLAIN_WORD : WORD)
  const words: Word[] = []
  let before = { end: -1, spelling: '' }
  for (let match = pattern.exec(text); match && words.length < limit; match = pattern.exec(text)) {
    const spelling = match[0].length > MAX_LENGTH ? match[0].slice(0, MAX_LENGTH) : match[0]
    const word = toWord(spelling)
    if (word.isUnspaced) {
      // A pair is between its characters, so that the words of a phrase follow one another anywhere.
      if (before.end === match.index) words.push(toWord(before.spelling + spelling))
      before = { end: pattern.lastIndex, spelling }
    }
    words.push(word)
    if (!IS_JOINED.test(spelling)) continue
    for (const [part] of spelling.matchAll(PARTS)) if (part.length > 1) words.push(toWord(part))
  }
  return isGerman(words) ? words.map(otherLanguage) : words
}

const OTHER_WORDS = new WeakMap<Word, Word>()

/** A word with its stem in a German text, if that is its stem in an English one, and back. */
export function otherLanguage(word: Word): Word {
  const cached = OTHER_WORDS.get(word)
  if (cached) return cached
  if (!IS_LATIN.test(word.word)) return word
  const other = { ...word, stem: germanStem(word.word) }
  OTHER_WORDS.set(word, other)
  OTHER_WORDS.set(other, word)
  return other
}

/** Caches words, because most words of a text occurred before. */
const CACHE = new Map<string, Word>()
const MAX_CACHED = 30_000

function toWord(spelling: string): Word {
  const cached = CACHE.get(spelling)
  if (cached) return cached
  const word = fold(spelling)
  const entry = { word, stem: stemOf(word), isUnspaced: IS_UNSPACED.test(spelling) }
  if (CACHE.size >= MAX_CACHED) CACHE.clear()
  CACHE.set(spelling, entry)
  return entry
}

function stemOf(word: string): string {
  if (IS_LATIN.test(word)) return stemmer(american(word))
  return /^[а-я]+$/.test(word) ? russianStem(word) : word
}

/** Unifies the spellings -ise and -ize. */
const american = (word: string) =>
  word.replace(/(?:ise|yse)(?=[drs]?$)/, (ending) => ending.replace('s', 'z'))

/** Hashes a stem to 32 bits: FNV-1a with a final mix. */
export function hashOf(stem: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < stem.length; index++)
    hash = Math.imul(hash ^ stem.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** Removes stop words, unless there are no other words. */
export function withoutStopWords<T extends Word>(words: readonly T[]): readonly T[] {
  const rest = words.filter(({ word }) => !STOPS.has(word))
  return rest.length ? rest : words
}

/** Texts of at most this many words keep their stop words. */
const SHORT_TEXT = 12

/** The terms of a text in order, for an index segment. */
export function termsOf(text: string): Uint32Array {
  const words = readWords(text)
  const indexed = words.length > SHORT_TEXT ? withoutStopWords(words) : words
  return Uint32Array.from(indexed, ({ stem }) => hashOf(stem))
}

export const STOP_TERMS: ReadonlySet<number> = new Set(
  [...STOPS].map((word) => hashOf(toWord(word).stem)),
)
