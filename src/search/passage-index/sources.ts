import type { Database } from 'bun:sqlite'
import type { PassageKind } from '../../kernel/services.ts'

const KINDS: readonly PassageKind[] = ['description', 'comment', 'page']
export const kindOf = (number: number): PassageKind => KINDS[number]!
export const numberOf = (kind: PassageKind) => KINDS.indexOf(kind) as Source['kind']

/** A row of an indexed text. Times are in milliseconds. */
export interface Source {
  source: number
  kind: 0 | 1 | 2
  ref: number
  project: number
  task: number
  author: number
  written_at: number
  title: string
  /** Digest of the text and its format. Equal digests mean equal passages. */
  digest: string
}

export interface StoredPassage {
  id: number
  ordinal: number
  headings: string
  text: string
}

/** Prepared statements for texts and their passages. */
export const sourceStatements = (db: Database) => ({
  byRef: db.query<Source, [number, number]>('SELECT * FROM sources WHERE kind = ? AND ref = ?'),
  byNumber: db.query<Source, [number]>('SELECT * FROM sources WHERE source = ?'),
  onBoard: db.query<Source, [number]>('SELECT * FROM sources WHERE project = ?'),
  add: db.query<{ source: number }, (number | string)[]>(
    `INSERT INTO sources (kind, ref, project, task, author, written_at, title, digest)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING source`,
  ),
  change: db.query<never, (number | string)[]>(
    `UPDATE sources SET project = ?, task = ?, author = ?, written_at = ?, title = ?, digest = ?
     WHERE source = ?`,
  ),
  remove: db.query<never, [number]>('DELETE FROM sources WHERE source = ?'),
  passages: db.query<StoredPassage, [number]>(
    'SELECT id, ordinal, headings, text FROM passages WHERE source = ? ORDER BY ordinal',
  ),
  passage: db.query<StoredPassage & { source: number }, [number]>(
    'SELECT * FROM passages WHERE id = ?',
  ),
  idsOf: db.query<{ id: number }, [number]>('SELECT id FROM passages WHERE source = ?'),
  addPassage: db.query<{ id: number }, (number | string)[]>(
    'INSERT INTO passages (source, ordinal, headings, text) VALUES (?, ?, ?, ?) RETURNING id',
  ),
  setOrdinal: db.query<never, [number, number]>('UPDATE passages SET ordinal = ? WHERE id = ?'),
  removePassage: db.query<never, [number]>('DELETE FROM passages WHERE id = ?'),
})
