import { typosBetween } from './typos.ts'

/** The words of the searched boards. */
export interface Vocabulary {
  /** Words that differ from a word by a few typos. */
  similarTo(word: string): string[]
  startingWith(start: string): string[]
  /** Longer words that begin or end with a word. */
  compoundsOf(part: string): string[]
}

/** Estimated memory of a word with its letters. */
const BYTES_PER_WORD = 64

/** A sorted list of words that can grow. */
export class WordList implements Vocabulary {
  private words: string[]
  private letters: Uint32Array
  private readonly added = new Set<string>()

  constructor(words: Iterable<string>) {
    this.words = [...words].sort()
    this.letters = Uint32Array.from(this.words, lettersOf)
  }

  get bytes(): number {
    return (this.words.length + this.added.size) * BYTES_PER_WORD
  }

  addWords(words: readonly string[]): void {
    for (const word of words) this.added.add(word)
  }

  similarTo(word: string): string[] {
    this.sort()
    const letters = lettersOf(word)
    const found: string[] = []
    for (const [at, candidate] of this.words.entries()) {
      if (Math.abs(candidate.length - word.length) > MAX_EDITS) continue
      // Each typo changes at most two kinds of letters.
      if (countBits(letters ^ this.letters[at]!) > 2 * MAX_EDITS) continue
      if (typosBetween(word, candidate)) found.push(candidate)
    }
    return found
  }

  startingWith(start: string): string[] {
    this.sort()
    const from = this.indexOf(start)
    let to = from
    while (this.words[to]?.startsWith(start)) to++
    return this.words.slice(from, to)
  }

  compoundsOf(part: string): string[] {
    this.sort()
    return this.words.filter((word) => word.length > part.length && word.endsWith(part))
  }

  /** The index of the first word that does not sort before the given one. */
  private indexOf(word: string): number {
    let low = 0
    let high = this.words.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.words[middle]! < word) low = middle + 1
      else high = middle
    }
    return low
  }

  private sort(): void {
    if (!this.added.size) return
    const unknown = [...this.added].filter((word) => this.words[this.indexOf(word)] !== word)
    this.added.clear()
    if (!unknown.length) return
    this.words = [...this.words, ...unknown].sort()
    this.letters = Uint32Array.from(this.words, lettersOf)
  }
}

/** The most typos that `typosBetween` tolerates. */
const MAX_EDITS = 2

/** One bit for each letter from a to z, and one for all others. */
function lettersOf(word: string): number {
  let bits = 0
  for (let at = 0; at < word.length; at++) {
    const letter = word.charCodeAt(at) - 97
    bits |= 1 << (letter >= 0 && letter < 26 ? letter : 26)
  }
  return bits
}

function countBits(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** The words of several boards, each once. */
export const combine = (vocabularies: readonly Vocabulary[]): Vocabulary => {
  const fromAll = (select: (vocabulary: Vocabulary) => string[]) => [
    ...new Set(vocabularies.flatMap(select)),
  ]
  return {
    similarTo: (word) => fromAll((vocabulary) => vocabulary.similarTo(word)),
    startingWith: (start) => fromAll((vocabulary) => vocabulary.startingWith(start)),
    compoundsOf: (part) => fromAll((vocabulary) => vocabulary.compoundsOf(part)),
  }
}
