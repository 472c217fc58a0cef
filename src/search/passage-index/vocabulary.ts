import type { Database } from 'bun:sqlite'
import { combine, type KnownWord, type Vocabulary, WordList } from '../words/vocabulary.ts'
import { freshPassages } from './passage-terms.ts'
import { segmentsOf } from './segments.ts'
import type { IndexLog } from './types.ts'

const MAX_WRITTEN = 50_000
/** Words learned since the list was built; more are merged into the list. */
const MAX_RECENT = 1000
const BYTES_PER_RECENT = 150

/** Stores the words of each board. */
export class VocabularyWriter {
  /** Words of each board that are in the file already, so that they need not be inserted again. */
  private readonly written = new Map<number, Set<string>>()
  private count = 0
  private readonly add

  constructor(db: Database) {
    this.add = db.query<never, [number, string, number]>(
      'INSERT OR IGNORE INTO words (project, word, term) VALUES (?, ?, ?)',
    )
  }

  /** Runs in a transaction. If that rolls back, call `forget`. */
  learn(project: number, words: readonly KnownWord[]): void {
    if (this.count >= MAX_WRITTEN) this.forget()
    const written = this.written.get(project) ?? new Set()
    this.written.set(project, written)
    const before = written.size
    for (const { word, term } of words) {
      if (written.has(word)) continue
      this.add.run(project, word, term)
      written.add(word)
    }
    this.count += written.size - before
  }

  forget(): void {
    this.written.clear()
    this.count = 0
  }
}

/** Deletes the words whose texts are gone, and what deleted texts contained with them. */
export function pruneWords(db: Database, project: number, log: IndexLog): void {
  const terms = new Set<number>()
  for (const segment of segmentsOf(db, project, log))
    for (const term of segment.terms) terms.add(term)
  for (const { title, headings, body } of freshPassages(db, project))
    for (const field of [title, headings, body]) for (const term of field) terms.add(term)
  const remove = db.query('DELETE FROM words WHERE project = ? AND word = ?')
  db.transaction(() => {
    for (const { word, term } of storedWords(db, project))
      if (!terms.has(term)) remove.run(project, word)
  })()
}

const storedWords = (db: Database, project: number) =>
  db.query<KnownWord, [number]>('SELECT word, term FROM words WHERE project = ?').all(project)

/** The vocabulary of a board in memory, and the words learned since it was loaded. */
export class BoardVocabulary {
  private list: WordList
  private readonly recent = new Map<string, KnownWord>()
  private recentList: WordList | undefined

  constructor(db: Database, project: number) {
    this.list = new WordList(storedWords(db, project))
  }

  get bytes(): number {
    return this.list.bytes + this.recent.size * BYTES_PER_RECENT
  }

  learn(words: readonly KnownWord[]): void {
    for (const known of words) if (!this.list.has(known.word)) this.recent.set(known.word, known)
    this.recentList = undefined
    if (this.recent.size <= MAX_RECENT) return
    this.list = new WordList([...this.list.words(), ...this.recent.values()])
    this.recent.clear()
  }

  words(): Vocabulary {
    if (!this.recent.size) return this.list
    this.recentList ??= new WordList([...this.recent.values()])
    return combine([this.list, this.recentList])
  }
}
