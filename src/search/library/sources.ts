import type { Database } from 'bun:sqlite'
import type { PassageKind } from '../../kernel/outside.ts'

const KINDS: readonly PassageKind[] = ['description', 'comment', 'page']
export const kindOf = (number: number): PassageKind => KINDS[number]!
export const numberOf = (kind: PassageKind) => KINDS.indexOf(kind) as Source['kind']

/** A text as the file knows it; times are in milliseconds. */
export interface Source {
  source: number
  kind: 0 | 1 | 2
  ref: number
  project: number
  task: number
  author: number
  written_at: number
  title: string
  /** Of the text and how it is written: equal digests, equal passages. */
  digest: string
}

export interface Kept {
  id: number
  ordinal: number
  headings: string
  text: string
}

/** The statements about texts and their passages. */
export const sourcesIn = (db: Database) => ({
  known: db.query<Source, [number, number]>('SELECT * FROM sources WHERE kind = ? AND ref = ?'),
  numbered: db.query<Source, [number]>('SELECT * FROM sources WHERE source = ?'),
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
  passages: db.query<Kept, [number]>(
    'SELECT id, ordinal, headings, text FROM passages WHERE source = ? ORDER BY ordinal',
  ),
  passage: db.query<Kept & { source: number }, [number]>('SELECT * FROM passages WHERE id = ?'),
  idsOf: db.query<{ id: number }, [number]>('SELECT id FROM passages WHERE source = ?'),
  addPassage: db.query<{ id: number }, (number | string)[]>(
    'INSERT INTO passages (source, ordinal, headings, text) VALUES (?, ?, ?, ?) RETURNING id',
  ),
  shift: db.query<never, [number, number]>('UPDATE passages SET ordinal = ? WHERE id = ?'),
  removePassage: db.query<never, [number]>('DELETE FROM passages WHERE id = ?'),
})
