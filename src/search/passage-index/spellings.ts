import type { Database } from 'bun:sqlite'
import { distance } from 'fastest-levenshtein'
import { fold } from '../words.ts'

const MAX_KNOWN = 50_000
/** Shorter words resemble too many others. */
const MIN_LENGTH = 4
const MAX_LENGTH = 30
const MAX_SCANNED = 5000
const MAX_RESULTS = 10
/** Two swapped letters count as two edits. */
const maxEdits = (word: string) => (word.length < 5 ? 1 : 2)

/** The spellings of the words of all texts. */
export class Spellings {
  /** Words known to be in the file, so that they need not be inserted again. */
  private readonly known = new Set<string>()
  private readonly add
  private readonly byLengthAndStart

  constructor(db: Database) {
    this.add = db.query<never, [number, string]>(
      'INSERT OR IGNORE INTO words (size, word) VALUES (?, ?)',
    )
    this.byLengthAndStart = db.query<{ word: string }, [number, string, string, number]>(
      'SELECT word FROM words WHERE size = ? AND word >= ? AND word < ? LIMIT ?',
    )
  }

  /** Runs in a transaction. If that rolls back, call `forget`. */
  learn(words: readonly string[]): void {
    for (const word of words) {
      if (word.length < MIN_LENGTH || word.length > MAX_LENGTH || this.known.has(word)) continue
      if (this.known.size >= MAX_KNOWN) this.known.clear()
      this.add.run(word.length, word)
      this.known.add(word)
    }
  }

  forget(): void {
    this.known.clear()
  }

  /** Words within a few edits, nearest first. They must begin with the same letter. */
  nearest(input: string): string[] {
    const word = fold(input)
    if (word.length < MIN_LENGTH || word.length > MAX_LENGTH) return []
    const limit = maxEdits(word)
    const first = String.fromCodePoint(word.codePointAt(0)!)
    const afterFirst = String.fromCodePoint(word.codePointAt(0)! + 1)
    const candidates: { word: string; edits: number }[] = []
    for (let size = word.length - limit; size <= word.length + limit; size++)
      for (const row of this.byLengthAndStart.all(size, first, afterFirst, MAX_SCANNED))
        candidates.push({ ...row, edits: distance(word, row.word) })
    return candidates
      .filter(({ edits: away }) => away > 0 && away <= limit)
      .sort((a, b) => a.edits - b.edits || (a.word < b.word ? -1 : 1))
      .slice(0, MAX_RESULTS)
      .map((candidate) => candidate.word)
  }
}
