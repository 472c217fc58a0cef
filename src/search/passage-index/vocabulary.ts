import type { Database } from 'bun:sqlite'
import { combine, type KnownWord, type Vocabulary, WordList } from '../words/vocabulary.ts'
import { freshPassages } from './passage-terms.ts'
import { segmentsOf } from './segments.ts'
import type { IndexLog } from './types.ts'

const MAX_WRITTEN = 50_000
/** A list is written again when this many words were learned, and this share of its size. */
const MIN_LEARNED = 256
const MAX_LEARNED_SHARE = 1 / 16
/** Words learned since the list was built; more are merged into the list. */
const MAX_RECENT = 1000
const BYTES_PER_RECENT = 150

/** The words of a board that are in the file. */
interface Written {
  list: WordList
  learned: Set<string>
}

/** Stores the words of each board. */
export class VocabularyWriter {
  /** So that words which are in the file are not inserted again. */
  private readonly written = new Map<number, Written>()
  private count = 0
  private readonly add

  constructor(private readonly db: Database) {
    this.add = db.query<never, [number, string, number]>(
      'INSERT OR IGNORE INTO words (project, word, term) VALUES (?, ?, ?)',
    )
  }

  /** Runs in a transaction. If that rolls back, call `forget`. */
  learn(project: number, words: readonly KnownWord[]): void {
    if (this.count >= MAX_WRITTEN) this.forget()
    const { list, learned } = this.writtenOn(project)
    const before = learned.size
    for (const { word, term } of words) {
      if (learned.has(word) || list.has(word)) continue
      this.add.run(project, word, term)
      learned.add(word)
    }
    this.count += learned.size - before
  }

  private writtenOn(project: number): Written {
    const known = this.written.get(project)
    if (known) return known
    const written = { list: storedList(this.db, project), learned: new Set<string>() }
    this.written.set(project, written)
    this.count += written.list.size
    return written
  }

  forget(): void {
    this.written.clear()
    this.count = 0
  }
}

/**
 * Moves the words learned since the last list of a board into a new one, which loads without reading
 * a row for each word. With `isPruned`, without those whose texts are gone. Returns whether it did.
 */
export function mergeWords(
  db: Database,
  project: number,
  { isPruned, log }: { isPruned: boolean; log: IndexLog },
): boolean {
  const list = storedList(db, project)
  const learned = learnedWords(db, project)
  const isEnough = learned.length > Math.max(MIN_LEARNED, list.size * MAX_LEARNED_SHARE)
  if (!isPruned && !isEnough) return false
  const terms = isPruned ? termsOf(db, project, log) : undefined
  const words = new Map<string, KnownWord>()
  for (const known of [...list.words(), ...learned])
    if (!terms || terms.has(known.term)) words.set(known.word, known)
  db.transaction(() => {
    db.query('DELETE FROM words WHERE project = ?').run(project)
    db.query('INSERT OR REPLACE INTO word_lists (project, list) VALUES (?, ?)').run(
      project,
      WordList.of([...words.values()]).encode(),
    )
  })()
  return true
}

/** The terms of all passages of a board. */
function termsOf(db: Database, project: number, log: IndexLog): Set<number> {
  const terms = new Set<number>()
  for (const segment of segmentsOf(db, project, log))
    for (const term of segment.terms) terms.add(term)
  for (const { title, headings, body } of freshPassages(db, project))
    for (const field of [title, headings, body]) for (const term of field) terms.add(term)
  return terms
}

function storedList(db: Database, project: number): WordList {
  const row = db
    .query<{ list: Uint8Array }, [number]>('SELECT list FROM word_lists WHERE project = ?')
    .get(project)
  const list = row ? WordList.decode(row.list) : WordList.of([])
  if (list) return list
  throw Object.assign(new Error('The words of a board are damaged'), { code: 'SQLITE_CORRUPT' })
}

/** The words learned since the list of the board was written; it may have some of them too. */
const learnedWords = (db: Database, project: number) =>
  db.query<KnownWord, [number]>('SELECT word, term FROM words WHERE project = ?').all(project)

/** The vocabulary of a board in memory, and the words learned since it was loaded. */
export class BoardVocabulary {
  private list: WordList
  private readonly recent = new Map<string, KnownWord>()
  private recentList: WordList | undefined

  constructor(db: Database, project: number) {
    this.list = storedList(db, project)
    this.learn(learnedWords(db, project))
  }

  get bytes(): number {
    return this.list.bytes + this.recent.size * BYTES_PER_RECENT
  }

  learn(words: readonly KnownWord[]): void {
    for (const known of words) if (!this.list.has(known.word)) this.recent.set(known.word, known)
    this.recentList = undefined
    if (this.recent.size <= MAX_RECENT) return
    this.list = WordList.of([...this.list.words(), ...this.recent.values()])
    this.recent.clear()
  }

  words(): Vocabulary {
    if (!this.recent.size) return this.list
    this.recentList ??= WordList.of([...this.recent.values()])
    return combine([this.list, this.recentList])
  }
}
