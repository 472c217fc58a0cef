import type { Database } from 'bun:sqlite'
import { packed, signsOf } from './packed.ts'

/** A passage without a vector. */
export interface Lacking {
  passage: number
  project: number
  text: string
}

export interface Made {
  passage: number
  /** None where no endpoint takes its text. */
  vector: Float32Array | undefined
}

/** Triggers, so that whoever writes passages need not know that there are vectors. */
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

/** Newest first: what was just written is found while an old library is still being filled. */
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

/** Vectors in the library's file, and which passages still lack one. */
export class Kept {
  #size = 0
  /** Whether the endpoint made vectors of that size since this was opened. */
  #isAgreed = false

  constructor(
    private readonly db: Database,
    private readonly model: string,
  ) {
    db.run(TABLES)
    const of = db.query<{ model: string; size: number }, []>('SELECT * FROM vectors_of').get()
    if (of?.model === model) this.#size = of.size
    else this.#anew()
  }

  /** Numbers in a vector; 0 where none was made yet. */
  get size(): number {
    return this.#size
  }

  get lacking(): number {
    const count = this.db.query<{ n: number }, []>('SELECT count(*) AS n FROM vectors_lacking')
    return count.get()?.n ?? 0
  }

  next(most: number): Lacking[] {
    const rows = this.db.query<NextRow, [number]>(NEXT).all(most)
    return rows.map(({ passage, project, title, headings, text }) => {
      const above = [title, ...(JSON.parse(headings) as string[])].filter(Boolean).join(' > ')
      return { passage, project, text: `${above}\n\n${text}`.trim() }
    })
  }

  /**
   * Whether vectors of that size can be compared with those that are kept. A model may have been
   * replaced under its name while nobody was looking: then all are made anew, but only once.
   */
  accepts(size: number): boolean {
    const differs = this.#size > 0 && this.#size !== size
    if (differs && this.#isAgreed) return false
    if (differs) this.#anew()
    this.#isAgreed = true
    if (this.#size === 0) this.db.query('UPDATE vectors_of SET size = ?').run(size)
    this.#size = size
    return true
  }

  /** What went while its vector was made is left out. */
  keep(made: readonly Made[]): void {
    const lacked = this.db.query('DELETE FROM vectors_lacking WHERE passage = ?')
    const put = this.db.query('INSERT OR REPLACE INTO vectors VALUES (?, ?)')
    const sign = this.db.query('INSERT OR REPLACE INTO vector_signs VALUES (?, ?)')
    this.db.transaction(() => {
      for (const { passage, vector } of made) {
        if (!lacked.run(passage).changes || !vector) continue
        put.run(passage, packed(vector))
        sign.run(passage, new Uint8Array(signsOf(vector).buffer))
      }
    })()
  }

  #anew(): void {
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
