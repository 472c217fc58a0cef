import type { Database } from 'bun:sqlite'
import { WordList } from '../vocabulary.ts'

const MAX_KNOWN = 50_000

/** Stores the words of each board. */
export class VocabularyWriter {
  /** Words known to be in the file, so that they need not be inserted again. */
  private readonly known = new Set<string>()
  private readonly add

  constructor(db: Database) {
    this.add = db.query<never, [number, string]>(
      'INSERT OR IGNORE INTO words (project, word) VALUES (?, ?)',
    )
  }

  /** Runs in a transaction. If that rolls back, call `forget`. */
  learn(project: number, words: readonly string[]): void {
    for (const word of words) {
      const key = `${project} ${word}`
      if (this.known.has(key)) continue
      if (this.known.size >= MAX_KNOWN) this.known.clear()
      this.add.run(project, word)
      this.known.add(key)
    }
  }

  forget(): void {
    this.known.clear()
  }
}

/** The words of a board. Words of deleted texts stay; no passage contains them. */
export const loadVocabulary = (db: Database, project: number): WordList =>
  new WordList(
    db
      .query<{ word: string }, [number]>('SELECT word FROM words WHERE project = ?')
      .all(project)
      .map(({ word }) => word),
  )
