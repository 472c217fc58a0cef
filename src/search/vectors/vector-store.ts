import type { Database } from 'bun:sqlite'
import { quantize, signsOf } from './quantize.ts'

/** A passage without a vector. */
export interface PendingPassage {
  passage: number
  project: number
  text: string
}

export interface EmbeddedPassage {
  passage: number
  /** Undefined if the endpoint rejects the text. */
  vector: Float32Array | undefined
}

/** Triggers track passages without vectors, so that code that writes passages need not. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS vectors_of (model TEXT NOT NULL, size INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS vectors (passage INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS vector_signs (passage INTEGER PRIMARY KEY, signs BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS vectors_lacking (passage INTEGER PRIMARY KEY);
  CREATE TRIGGER IF NOT EXISTS vectors_put AFTER INSERT ON passages BEGIN
    INSERT OR IGNORE INTO vectors_lacking VALUES (new.id);
  END;
  CREATE TRIGGER IF NOT EXISTS vectors_gone AFTER DELETE ON passages BEGIN
    DELETE FROM vectors WHERE passage = old.id;
    DELETE FROM vector_signs WHERE passage = old.id;
    DELETE FROM vectors_lacking WHERE passage = old.id;
  END;
`

/** Newest first, so that new texts are found while an existing index still lacks vectors. */
const NEXT = `
  SELECT p.id AS passage, s.project, s.title, p.headings, p.text
  FROM vectors_lacking l JOIN passages p ON p.id = l.passage JOIN sources s ON s.source = p.source
  ORDER BY l.passage DESC LIMIT ?`

interface NextRow {
  passage: number
  project: number
  title: string
  headings: string
  text: string
}

/** The vectors in the index file, and the passages that still lack one. */
export class VectorStore {
  #size = 0
  /** Whether the endpoint has confirmed the vector size since this was opened. */
  #isConfirmed = false

  constructor(
    private readonly db: Database,
    private readonly model: string,
  ) {
    db.run(TABLES)
    const stored = db.query<{ model: string; size: number }, []>('SELECT * FROM vectors_of').get()
    if (stored?.model === model) this.#size = stored.size
    else this.#reset()
  }

  /** Dimensions of a vector; 0 before the first one. */
  get size(): number {
    return this.#size
  }

  get lacking(): number {
    const count = this.db.query<{ n: number }, []>('SELECT count(*) AS n FROM vectors_lacking')
    return count.get()?.n ?? 0
  }

  next(limit: number): PendingPassage[] {
    const rows = this.db.query<NextRow, [number]>(NEXT).all(limit)
    return rows.map(({ passage, project, title, headings, text }) => {
      const heading = [title, ...(JSON.parse(headings) as string[])].filter(Boolean).join(' > ')
      return { passage, project, text: `${heading}\n\n${text}`.trim() }
    })
  }

  /**
   * Whether vectors of that size are comparable with the stored ones. If the model was replaced under
   * the same name, all vectors are created again, but only once per start.
   */
  accepts(size: number): boolean {
    const isDifferent = this.#size > 0 && this.#size !== size
    if (isDifferent && this.#isConfirmed) return false
    if (isDifferent) this.#reset()
    this.#isConfirmed = true
    if (this.#size === 0) this.db.query('UPDATE vectors_of SET size = ?').run(size)
    this.#size = size
    return true
  }

  /** Stores vectors, except those of passages that were deleted in the meantime. */
  save(passages: readonly EmbeddedPassage[]): void {
    const removePending = this.db.query('DELETE FROM vectors_lacking WHERE passage = ?')
    const insertVector = this.db.query('INSERT OR REPLACE INTO vectors VALUES (?, ?)')
    const insertSigns = this.db.query('INSERT OR REPLACE INTO vector_signs VALUES (?, ?)')
    this.db.transaction(() => {
      for (const { passage, vector } of passages) {
        if (!removePending.run(passage).changes || !vector) continue
        insertVector.run(passage, quantize(vector))
        insertSigns.run(passage, new Uint8Array(signsOf(vector).buffer))
      }
    })()
  }

  #reset(): void {
    this.#size = 0
    this.db.transaction(() => {
      this.db.run('DELETE FROM vectors')
      this.db.run('DELETE FROM vector_signs')
      this.db.run('DELETE FROM vectors_of')
      this.db.query('INSERT INTO vectors_of VALUES (?, 0)').run(this.model)
      this.db.run('INSERT OR IGNORE INTO vectors_lacking SELECT id FROM passages')
    })()
  }
}
