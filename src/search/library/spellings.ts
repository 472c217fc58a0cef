import type { Database } from 'bun:sqlite'
import { distance } from 'fastest-levenshtein'
import { fold } from '../words.ts'

const MOST_KNOWN = 50_000
/** Shorter words are too near to too many others. */
const LEAST = 4
const MOST = 30
const MOST_LOOKED = 5000
const MOST_NEAR = 10
/** Two letters that changed places are two mistakes. */
const mistakesIn = (word: string) => (word.length < 5 ? 1 : 2)

/** The words of all texts as they are spelt. */
export class Spellings {
  /** Those that are known to be known, so that nobody asks the file again. */
  private readonly known = new Set<string>()
  private readonly add
  private readonly near

  constructor(db: Database) {
    this.add = db.query<never, [number, string]>(
      'INSERT OR IGNORE INTO words (size, word) VALUES (?, ?)',
    )
    this.near = db.query<{ word: string }, [number, string, string, number]>(
      'SELECT word FROM words WHERE size = ? AND word >= ? AND word < ? LIMIT ?',
    )
  }

  /** In a transaction; where that is undone, `forget` has to be told. */
  learn(words: readonly string[]): void {
    for (const word of words) {
      if (word.length < LEAST || word.length > MOST || this.known.has(word)) continue
      if (this.known.size >= MOST_KNOWN) this.known.clear()
      this.add.run(word.length, word)
      this.known.add(word)
    }
  }

  forget(): void {
    this.known.clear()
  }

  /** Words that differ by a slip, the nearest first; a slip in the first letter is not guessed. */
  nearest(asked: string): string[] {
    const word = fold(asked)
    if (word.length < LEAST || word.length > MOST) return []
    const most = mistakesIn(word)
    const first = String.fromCodePoint(word.codePointAt(0)!)
    const beyond = String.fromCodePoint(word.codePointAt(0)! + 1)
    const near: { word: string; away: number }[] = []
    for (let size = word.length - most; size <= word.length + most; size++)
      for (const one of this.near.all(size, first, beyond, MOST_LOOKED))
        near.push({ ...one, away: distance(word, one.word) })
    return near
      .filter(({ away }) => away > 0 && away <= most)
      .sort((a, b) => a.away - b.away || (a.word < b.word ? -1 : 1))
      .slice(0, MOST_NEAR)
      .map((one) => one.word)
  }
}
