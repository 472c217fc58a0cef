import type { Database } from 'bun:sqlite'
import type { PassageKind } from '../../kernel/services.ts'

const KINDS: readonly PassageKind[] = ['description', 'comment', 'page', 'file']
export const kindOf = (number: number): PassageKind => KINDS[number]!
export const numberOf = (kind: PassageKind) => KINDS.indexOf(kind) as Source['kind']

/** Digests of files whose text was not read. The index `sources_unread` relies on their length. */
export const UNREAD = ''
const ATTEMPTED = '-'
/** Reading it ended the process twice. */
const UNREADABLE = 'unreadable'
/** Files that are read before others are looked for. */
const UNREAD_BATCH = 200

/** A row of an indexed text. Times are in milliseconds. */
export interface Source {
  source: number
  kind: 0 | 1 | 2 | 3
  ref: number
  project: number
  task: number
  author: number
  written_at: number
  title: string
  /**
   * Digest of the text and its format. Equal digests mean equal passages. Of a file whose text was
   * not read yet, `UNREAD`, or `ATTEMPTED` if reading it was begun.
   */
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
  add: db.query<never, (number | string)[]>(
    `INSERT INTO sources (kind, ref, project, task, author, written_at, title, digest)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  ),
  change: db.query<never, (number | string)[]>(
    `UPDATE sources SET project = ?, task = ?, author = ?, written_at = ?, title = ?, digest = ?
     WHERE source = ?`,
  ),
  unread: db.query<{ ref: number }, [number]>(
    `SELECT ref FROM sources WHERE length(digest) < 2 AND kind = ? ORDER BY ref LIMIT ${UNREAD_BATCH}`,
  ),
  recordAttempt: db.query<never, [number, number]>(
    `UPDATE sources SET digest = iif(digest = '${UNREAD}', '${ATTEMPTED}', '${UNREADABLE}')
     WHERE length(digest) < 2 AND kind = ? AND ref = ?`,
  ),
  remove: db.query<never, [number]>('DELETE FROM sources WHERE source = ?'),
  passages: db.query<StoredPassage, [number]>(
    'SELECT id, ordinal, headings, text FROM passages WHERE source = ? ORDER BY ordinal',
  ),
  passage: db.query<StoredPassage & { source: number }, [number]>(
    'SELECT * FROM passages WHERE id = ?',
  ),
  idsOf: db.query<{ id: number }, [number]>('SELECT id FROM passages WHERE source = ?'),
  addPassage: db.query<never, (number | string)[]>(
    'INSERT INTO passages (source, ordinal, headings, text) VALUES (?, ?, ?, ?)',
  ),
  setOrdinal: db.query<never, [number, number]>('UPDATE passages SET ordinal = ? WHERE id = ?'),
  removePassage: db.query<never, [number]>('DELETE FROM passages WHERE id = ?'),
})
