import { Database } from 'bun:sqlite'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { plainly } from '../../store/trouble.ts'
import { SHELF_FORMAT } from '../shelf.ts'
import type { Log } from './shelves.ts'

/** Of the tables, the cutting and the terms: whoever changes one of them raises the first. */
export const FORMAT = 2000 + SHELF_FORMAT

const TABLES = `
CREATE TABLE sources (
  source INTEGER PRIMARY KEY AUTOINCREMENT,
  kind INTEGER NOT NULL, ref INTEGER NOT NULL,
  project INTEGER NOT NULL, task INTEGER NOT NULL, author INTEGER NOT NULL,
  written_at INTEGER NOT NULL, title TEXT NOT NULL, digest TEXT NOT NULL,
  UNIQUE (kind, ref)
);
CREATE INDEX sources_project ON sources (project);
CREATE TABLE passages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  source INTEGER NOT NULL, ordinal INTEGER NOT NULL,
  headings TEXT NOT NULL, text TEXT NOT NULL
);
CREATE INDEX passages_source ON passages (source, ordinal);
CREATE TABLE segments (
  project INTEGER NOT NULL, upto INTEGER NOT NULL, size INTEGER NOT NULL, shelf BLOB NOT NULL,
  PRIMARY KEY (project, upto)
);
CREATE TABLE fresh (
  project INTEGER NOT NULL, id INTEGER NOT NULL, terms BLOB NOT NULL,
  PRIMARY KEY (project, id)
) WITHOUT ROWID;
CREATE TABLE gone (
  project INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (project, id)
) WITHOUT ROWID;
CREATE TABLE words (
  size INTEGER NOT NULL, word TEXT NOT NULL, PRIMARY KEY (size, word)
) WITHOUT ROWID;
CREATE TABLE again (one INTEGER PRIMARY KEY CHECK (one = 1));
CREATE TABLE place (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, mark TEXT NOT NULL);
`
/** Children first. */
const EMPTY = ['again', 'place', 'words', 'gone', 'fresh', 'segments', 'passages', 'sources']

export const MEMORY = ':memory:'
const MOST_FILES = 100
const CACHE_KB = 8000

export interface File {
  db: Database
  /** Where it is; in memory where no file can be kept. */
  path: string
  close(): void
}

/**
 * The file of an index, which can always be made again: what is damaged, or of another version, is
 * thrown away. Where several processes share a folder each has a file of its own.
 */
export function openFile(path: string, log: Log): File {
  if (path === MEMORY) return kept(made(MEMORY), MEMORY)
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    for (let at = 1; at <= MOST_FILES; at++) {
      const own = at === 1 ? path : path.replace(/(\.\w+)?$/, `-${at}$1`)
      const lock = locked(`${own}.lock`)
      if (!lock) continue
      try {
        return kept(opened(own, log), own, lock)
      } catch (error) {
        lock.close()
        throw error
      }
    }
    throw new Error(`${MOST_FILES} processes have a search index beside ${path}`)
  } catch (error) {
    // That passes: whoever began this tries again.
    if (/^E[MN]FILE$/.test(codeOf(error))) throw error
    const why = { err: error, file: path }
    log.warn(
      why,
      `The search index is kept in memory only, and made anew at each start: ${plainly(error)}`,
    )
    return kept(made(MEMORY), MEMORY)
  }
}

/** The same file, empty: for one that turned out to be damaged. */
export function renewed(file: File, log: Log): File {
  file.close()
  discard(file.path)
  return openFile(file.path, log)
}

export function emptied(db: Database): void {
  db.transaction(() => {
    for (const table of EMPTY) db.run(`DELETE FROM ${table}`)
  })()
}

function kept(db: Database, path: string, lock?: Database): File {
  return {
    ...{ db, path },
    close() {
      db.close()
      lock?.close()
    },
  }
}

/** One of SQLite's locks, because the system lets go of it however a process ends. */
function locked(path: string): Database | undefined {
  hide(path)
  const lock = new Database(path, { create: true })
  try {
    lock.run('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if (codeOf(error) === 'SQLITE_BUSY') return undefined
    throw error
  }
}

function opened(path: string, log: Log): Database {
  try {
    const db = made(path)
    const { user_version: format } = db
      .query<{ user_version: number }, []>('PRAGMA user_version')
      .get()!
    if (format === FORMAT) return db
    db.close()
    log.info({ file: path }, 'The search index is of another version of cork, and is built anew')
  } catch (error) {
    if (!isDamage(error)) throw error
    log.warn({ err: error, file: path }, 'The search index is damaged, and is built anew')
  }
  discard(path)
  return made(path)
}

function made(path: string): Database {
  if (path !== MEMORY) hide(path)
  const db = new Database(path, { create: true, strict: true })
  try {
    db.run('PRAGMA journal_mode=WAL')
    // The last deliveries may be lost with the machine's power: the log tells them again.
    db.run('PRAGMA synchronous=NORMAL')
    db.run(`PRAGMA cache_size=-${CACHE_KB}`)
    const { n } = db.query<{ n: number }, []>('SELECT count(*) AS n FROM sqlite_schema').get()!
    if (!n)
      db.transaction(() => {
        db.run(TABLES)
        db.run(`PRAGMA user_version=${FORMAT}`)
      })()
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** What is in it is for nobody else, and the files that SQLite puts beside it follow it. */
const hide = (path: string) => writeFileSync(path, '', { flag: 'a', mode: 0o600 })

function discard(path: string): void {
  if (path === MEMORY) return
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
}

const codeOf = (error: unknown) => String((error as { code?: unknown }).code)

/** Whether what was kept can no longer be read; a table that is not there is damage as well. */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (
    /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error)) || /no such (table|column)/.test(error.message)
  )
}
