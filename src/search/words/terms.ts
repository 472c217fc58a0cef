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
  /** The hash of the stem. */
  term: number
  isStopWord: boolean
  /** Whether it belongs in a vocabulary: it may be misspelt, or still incomplete. */
  isKnowable: boolean
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
/** Splits names such as readFile, HTMLElement and utf8Decode into parts. */
const PARTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g
const IS_JOINED = /[a-z][A-Z]|[A-Z]{2}[a-z]/
const IS_LATIN = /^[a-z]+$/
const KNOWABLE = new RegExp(`^(?=.*\\p{L})(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}]){2,30}$`, 'u')
const MAX_LENGTH = 60

/**
 * The words of a text in order, stop words included; names from code as a whole and in parts. In
 * scripts without spaces, each character and each pair of neighbouring characters is a word.
 */
export function readWords(text: string, limit = Number.POSITIVE_INFINITY): Word[] {
  const words = isPlain(text) ? readPlainWords(text, limit) : readAnyWords(text, limit)
  return isGerman(words) ? words.map(otherLanguage) : words
}

/** The characters of words in plain texts. */
const IS_PLAIN_WORD = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9]/.test(String.fromCharCode(code)) ? 1 : 0,
)

/** Words of ASCII texts are looked up by a hash, because cutting them out takes most of the time. */
function readPlainWords(text: string, limit: number): Word[] {
  const words: Word[] = []
  for (let at = 0; at < text.length && words.length < limit; ) {
    const start = at
    let hash = 0
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (!IS_PLAIN_WORD[code]) break
      hash = Math.imul(hash ^ code, HASH_FACTOR)
    }
    if (at > start) addSpelling(words, plainSpellingAt(text, start, at, hash))
    else at++
  }
  return words
}

/** Each spelling has one slot, by its hash, and replaces the one before it. */
const SLOTS = 1 << 16
const SPELLINGS = new Array<Spelling | undefined>(SLOTS).fill(undefined)

function plainSpellingAt(text: string, start: number, end: number, hash: number): Spelling {
  const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1)
  const known = SPELLINGS[slot]
  if (known && known.text.length === end - start && isTextAt(known.text, text, start)) return known
  const spelling = spellingOf(text.slice(start, Math.min(end, start + MAX_LENGTH)))
  SPELLINGS[slot] = spelling
  return spelling
}

/** Faster than `startsWith` for short texts, because it is compiled into its caller. */
function isTextAt(part: string, text: string, start: number): boolean {
  for (let at = 0; at < part.length; at++)
    if (text.charCodeAt(start + at) !== part.charCodeAt(at)) return false
  return true
}

function readAnyWords(text: string, limit: number): Word[] {
  const pattern = new RegExp(WORD)
  const words: Word[] = []
  let before = { end: -1, text: '' }
  for (let match = pattern.exec(text); match && words.length < limit; match = pattern.exec(text)) {
    const spelling = spellingOf(match[0].slice(0, MAX_LENGTH))
    if (spelling.word.isUnspaced) {
      // A pair is between its characters, so that the words of a phrase follow one another anywhere.
      if (before.end === match.index) words.push(spellingOf(before.text + spelling.text).word)
      before = { end: pattern.lastIndex, text: spelling.text }
    }
    addSpelling(words, spelling)
  }
  return words
}

function addSpelling(words: Word[], { word, parts }: Spelling): void {
  words.push(word)
  if (parts) words.push(...parts)
}

const OTHER_WORDS = new WeakMap<Word, Word>()

/** A word with its stem in a German text, if that is its stem in an English one, and back. */
export function otherLanguage(word: Word): Word {
  const cached = OTHER_WORDS.get(word)
  if (cached) return cached
  if (!IS_LATIN.test(word.word)) return word
  const stem = germanStem(word.word)
  const other = { ...word, stem, term: hashOf(stem) }
  OTHER_WORDS.set(word, other)
  OTHER_WORDS.set(other, word)
  return other
}

interface Spelling {
  text: string
  word: Word
  /** The parts of a name from code. */
  parts: Word[] | undefined
}

/** Most words of a text occurred before. */
const CACHE = new Map<string, Spelling>()
const MAX_CACHED = 30_000

function spellingOf(part: string): Spelling {
  const cached = CACHE.get(part)
  if (cached) return cached
  const text = copyOf(part)
  const parts = IS_JOINED.test(text)
    ? text.match(PARTS)!.flatMap((part) => (part.length > 1 ? toWord(part) : []))
    : undefined
  const spelling = { text, word: toWord(text), parts }
  if (CACHE.size >= MAX_CACHED) CACHE.clear()
  CACHE.set(text, spelling)
  return spelling
}

/** A part of a string would retain the whole string, and be compared where that is in memory. */
function copyOf(part: string): string {
  const encoding = isPlain(part) ? 'latin1' : 'utf16le'
  return Buffer.from(part, encoding).toString(encoding)
}

function toWord(spelling: string): Word {
  const word = fold(spelling)
  const stem = stemOf(word)
  const isUnspaced = IS_UNSPACED.test(spelling)
  return {
    ...{ word, stem, term: hashOf(stem), isStopWord: STOPS.has(word) },
    ...{ isKnowable: KNOWABLE.test(word), isUnspaced },
  }
}

function stemOf(word: string): string {
  if (IS_LATIN.test(word)) return stemmer(american(word))
  return /^[а-я]+$/.test(word) ? russianStem(word) : word
}

/** Unifies the spellings -ise and -ize. */
const american = (word: string) =>
  word.replace(/(?:ise|yse)(?=[drs]?$)/, (ending) => ending.replace('s', 'z'))

const HASH_FACTOR = 0x01000193

/** Hashes a stem to 32 bits: FNV-1a with a final mix. */
export function hashOf(stem: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < stem.length; index++)
    hash = Math.imul(hash ^ stem.charCodeAt(index), HASH_FACTOR)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** Removes stop words, unless there are no other words. */
export function withoutStopWords<T extends Word>(words: readonly T[]): readonly T[] {
  const rest = words.filter(({ isStopWord }) => !isStopWord)
  return rest.length ? rest : words
}

/** Texts of at most this many words keep their stop words. */
const SHORT_TEXT = 12

/** The terms of a text in order, for an index segment. */
export const termsOf = (text: string): Uint32Array => indexedTerms(readWords(text))

/** The same for words that were read already. */
export function indexedTerms(words: readonly Word[]): Uint32Array {
  const indexed = words.length > SHORT_TEXT ? withoutStopWords(words) : words
  const terms = new Uint32Array(indexed.length)
  for (let at = 0; at < terms.length; at++) terms[at] = indexed[at]!.term
  return terms
}

export const STOP_TERMS: ReadonlySet<number> = new Set([...STOPS].map((word) => toWord(word).term))
