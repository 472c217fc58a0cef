import { readWords, type Word } from './terms.ts'
import { maxTypos, typosBetween } from './typos.ts'

/** A word as it is written, without case and accents, and the term that it is indexed as. */
export interface KnownWord {
  word: string
  term: number
}

/** A word that differs from another by a few typos. */
export interface SimilarWord extends KnownWord {
  typos: number
}

/** The words of the searched boards, by their spelling. Texts with a word may be gone. */
export interface Vocabulary {
  similarTo(word: string): SimilarWord[]
  /** The terms of the words that begin with `start`. */
  startingWith(start: string): number[]
  /** The terms of the longer words that begin or end with a word. */
  compoundsOf(part: string): number[]
}

/** The distinct words of a text that belong in a vocabulary. */
export const knownWords = (text: string): KnownWord[] => {
  const known = new Map(
    readWords(text).flatMap((word) => (word.isKnowable ? [[word.word, word]] : [])),
  )
  return [...known.values()]
}

/** Adds words that were read already. Repeated words are the same object, unless a text is German. */
export function addKnown(known: Set<KnownWord>, words: readonly Word[]): void {
  for (const word of words) if (word.isKnowable) known.add(word)
}

/** Looks words up in several vocabularies. A word may be returned more than once. */
export const combine = (parts: readonly Vocabulary[]): Vocabulary => ({
  similarTo: (word) => parts.flatMap((part) => part.similarTo(word)),
  startingWith: (start) => parts.flatMap((part) => part.startingWith(start)),
  compoundsOf: (word) => parts.flatMap((part) => part.compoundsOf(word)),
})

const MAGIC = 0x636b7764
/** Length of the header in 32-bit words: magic, digest, number of words. */
const HEADER_WORDS = 3
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** An immutable vocabulary in two blocks of memory: 100,000 words take about 2 MB. */
export class WordList implements Vocabulary {
  readonly size: number
  private readonly terms: Uint32Array
  /** The letters of each word, as a bit mask. */
  private readonly letters: Uint32Array
  /** Where each word begins in the text. */
  private readonly starts: Uint32Array

  private constructor(
    /** The terms, the letters and the starts. */
    private readonly numbers: Uint32Array,
    /** All words in order, without separators. */
    private readonly text: string,
  ) {
    const size = (numbers.length - 1) / 3
    this.size = size
    this.terms = numbers.subarray(0, size)
    this.letters = numbers.subarray(size, size * 2)
    this.starts = numbers.subarray(size * 2)
  }

  static of(words: readonly KnownWord[]): WordList {
    const sorted = words.toSorted((a, b) => (a.word < b.word ? -1 : 1))
    const text = sorted.map(({ word }) => word).join('')
    const list = new WordList(new Uint32Array(sorted.length * 3 + 1), text)
    for (const [at, { word, term }] of sorted.entries()) {
      list.terms[at] = term
      list.letters[at] = lettersOf(word)
      list.starts[at + 1] = list.starts[at]! + word.length
    }
    return list
  }

  /** Decodes the result of `encode`; undefined for anything else. */
  static decode(bytes: Uint8Array): WordList | undefined {
    const { buffer } = bytes.slice()
    if (buffer.byteLength < HEADER_WORDS * 4) return undefined
    const [magic, digest, size = 0] = new Uint32Array(buffer, 0, HEADER_WORDS)
    if (magic !== MAGIC || digest !== digestOf(buffer)) return undefined
    const end = (HEADER_WORDS + size * 3 + 1) * 4
    const numbers = new Uint32Array(buffer.slice(HEADER_WORDS * 4, end))
    return new WordList(numbers, decoder.decode(new Uint8Array(buffer, end)))
  }

  encode(): Uint8Array {
    const text = new TextEncoder().encode(this.text)
    const end = (HEADER_WORDS + this.numbers.length) * 4
    const bytes = new Uint8Array(end + text.length)
    const header = new Uint32Array(bytes.buffer, 0, end / 4)
    header.set([MAGIC, 0, this.size])
    header.set(this.numbers, HEADER_WORDS)
    bytes.set(text, end)
    header[1] = digestOf(bytes.buffer)
    return bytes
  }

  get bytes(): number {
    return this.numbers.byteLength + this.text.length
  }

  words(): KnownWord[] {
    return Array.from(this.terms, (term, at) => ({ word: this.wordAt(at), term }))
  }

  has(word: string): boolean {
    const at = this.firstFrom(word)
    return at < this.size && this.wordAt(at) === word
  }

  similarTo(word: string): SimilarWord[] {
    const limit = maxTypos(word)
    if (!limit) return []
    const { starts, letters } = this
    const mask = lettersOf(word)
    const found: SimilarWord[] = []
    for (let at = 0; at < this.size; at++) {
      const excess = starts[at + 1]! - starts[at]! - word.length
      if (excess > limit || excess < -limit) continue
      // A typo adds at most one letter to a word and takes at most one away.
      const other = letters[at]!
      if (bitsIn(mask & ~other) > limit || bitsIn(other & ~mask) > limit) continue
      const candidate = this.wordAt(at)
      const typos = typosBetween(word, candidate)
      if (typos) found.push({ word: candidate, term: this.terms[at]!, typos })
    }
    return found
  }

  startingWith(start: string): number[] {
    const first = this.firstFrom(start)
    let end = first
    while (end < this.size && this.text.startsWith(start, this.starts[end])) end++
    return [...this.terms.subarray(first, end)]
  }

  compoundsOf(part: string): number[] {
    const { starts, letters, text } = this
    const mask = lettersOf(part)
    const found: number[] = []
    for (let at = 0; at < this.size; at++) {
      if (mask & ~letters[at]!) continue
      const start = starts[at]!
      const tail = starts[at + 1]! - part.length
      if (tail <= start) continue
      if (text.startsWith(part, start) || text.startsWith(part, tail)) found.push(this.terms[at]!)
    }
    return found
  }

  private wordAt(at: number): string {
    return this.text.slice(this.starts[at], this.starts[at + 1])
  }

  /** The position of the first word that is not before `word` in order. */
  private firstFrom(word: string): number {
    let low = 0
    let high = this.size
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.wordAt(middle) < word) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** The digest of everything after the digest field itself. */
const digestOf = (buffer: ArrayBuffer) => Bun.hash.xxHash32(new Uint8Array(buffer, 8))

const LATIN_LETTERS = 26
const OTHER_BITS = 6
const CODE_OF_A = 97

/** One bit for each Latin letter; all other characters share six. */
function lettersOf(word: string): number {
  let mask = 0
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at)
    const bit = code - CODE_OF_A
    mask |= 1 << (bit >= 0 && bit < LATIN_LETTERS ? bit : LATIN_LETTERS + (code % OTHER_BITS))
  }
  return mask
}

function bitsIn(mask: number): number {
  let bits = 0
  for (let rest = mask; rest; rest &= rest - 1) bits++
  return bits
}
