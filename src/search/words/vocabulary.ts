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

/** An immutable vocabulary in a few blocks of memory: 100,000 words take about 3 MB. */
export class WordList implements Vocabulary {
  readonly size: number
  /** All words in order, without separators, and where each begins. */
  private readonly text: string
  private readonly starts: Uint32Array
  private readonly terms: Uint32Array
  /** The letters of each word, as a bit mask. */
  private readonly letters: Uint32Array

  constructor(words: readonly KnownWord[]) {
    const sorted = words.toSorted((a, b) => (a.word < b.word ? -1 : 1))
    this.size = sorted.length
    this.text = sorted.map(({ word }) => word).join('')
    this.terms = Uint32Array.from(sorted, ({ term }) => term)
    this.letters = Uint32Array.from(sorted, ({ word }) => lettersOf(word))
    this.starts = new Uint32Array(this.size + 1)
    for (let at = 0; at < this.size; at++)
      this.starts[at + 1] = this.starts[at]! + sorted[at]!.word.length
  }

  get bytes(): number {
    return this.text.length * 2 + this.starts.byteLength + this.terms.byteLength * 2
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
