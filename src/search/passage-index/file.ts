import { Database } from 'bun:sqlite'
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describeProblem } from '../../store/errors.ts'
import { SEGMENT_FORMAT } from '../segments/segment.ts'
import type { IndexLog } from './types.ts'

/** Format of the file. Raise the number when the tables, the splitting or the terms change. */
export const FORMAT = 9000 + SEGMENT_FORMAT

const TABLES = `
CREATE TABLE sources (
  source INTEGER PRIMARY KEY AUTOINCREMENT,
  kind INTEGER NOT NULL, ref INTEGER NOT NULL,
  project INTEGER NOT NULL, task INTEGER NOT NULL, author INTEGER NOT NULL,
  written_at INTEGER NOT NULL, title TEXT NOT NULL, digest TEXT NOT NULL,
  UNIQUE (kind, ref)
);
CREATE INDEX sources_project ON sources (project);
CREATE INDEX sources_unread ON sources (kind, ref) WHERE length(digest) < 2;
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
CREATE TABLE models (
  project INTEGER PRIMARY KEY, passages INTEGER NOT NULL, directions BLOB NOT NULL
);
CREATE TABLE model_blocks (
  project INTEGER NOT NULL, first INTEGER NOT NULL, block BLOB NOT NULL,
  PRIMARY KEY (project, first)
);
CREATE TABLE words (
  project INTEGER NOT NULL, word TEXT NOT NULL, term INTEGER NOT NULL,
  PRIMARY KEY (project, word)
) WITHOUT ROWID;
CREATE TABLE word_lists (project INTEGER PRIMARY KEY, list BLOB NOT NULL);
CREATE TABLE again (one INTEGER PRIMARY KEY CHECK (one = 1));
CREATE TABLE place (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, mark TEXT NOT NULL);
`
/** Tables to clear, children first. */
const CLEARED_TABLES = [
  'again',
  'place',
  'word_lists',
  'words',
  'model_blocks',
  'models',
  'gone',
  'fresh',
  'segments',
  'passages',
  'sources',
]

export const MEMORY = ':memory:'
const MAX_FILES = 100
const CACHE_KB = 8000

export interface IndexFile {
  db: Database
  /** Path of the file; `MEMORY` if no file can be written. */
  path: string
  /** Whether its path still leads to this file, so that another thread can open it. */
  isShared(): boolean
  close(): void
}

/**
 * Opens the file of an index. A file that is damaged or of another version is deleted and rebuilt
 * from the database. Processes that share a folder use a file each.
 */
export function openFile(path: string, log: IndexLog): IndexFile {
  if (path === MEMORY) return fileOf(createDatabase(MEMORY), MEMORY)
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    for (let at = 1; at <= MAX_FILES; at++) {
      const candidate = at === 1 ? path : path.replace(/(\.\w+)?$/, `-${at}$1`)
      const lock = acquireLock(`${candidate}.lock`)
      if (!lock) continue
      try {
        return fileOf(openDatabase(candidate, log), candidate, lock)
      } catch (error) {
        lock.close()
        throw error
      }
    }
    throw new Error(`${MAX_FILES} processes have a search index beside ${path}`)
  } catch (error) {
    // Too few file descriptors is a temporary problem: the caller retries.
    if (/^E[MN]FILE$/.test(codeOf(error))) throw error
    const details = { err: error, file: path }
    log.warn(
      details,
      `The search index is kept in memory only and rebuilt at each start: ${describeProblem(error)}`,
    )
    return fileOf(createDatabase(MEMORY), MEMORY)
  }
}

/** Replaces a damaged file by an empty one. */
export function resetFile(file: IndexFile, log: IndexLog): IndexFile {
  file.close()
  discard(file.path)
  return openFile(file.path, log)
}

export function clearTables(db: Database): void {
  db.transaction(() => {
    for (const table of CLEARED_TABLES) db.run(`DELETE FROM ${table}`)
  })()
}

function fileOf(db: Database, path: string, lock?: Database): IndexFile {
  const number = inodeOf(path)
  return {
    db,
    path,
    isShared: () => number !== undefined && inodeOf(path) === number,
    close() {
      db.close()
      lock?.close()
    },
  }
}

const inodeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.ino

/** Uses a lock of SQLite, because the operating system releases it however a process ends. */
function acquireLock(path: string): Database | undefined {
  createPrivate(path)
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

function openDatabase(path: string, log: IndexLog): Database {
  try {
    const db = createDatabase(path)
    const { user_version: format } = db
      .query<{ user_version: number }, []>('PRAGMA user_version')
      .get()!
    if (format === FORMAT) return db
    db.close()
    log.info({ file: path }, 'The search index is from another version of cork and is rebuilt')
  } catch (error) {
    if (!isDamage(error)) throw error
    log.warn({ err: error, file: path }, 'The search index is damaged and is rebuilt')
  }
  discard(path)
  return createDatabase(path)
}

function createDatabase(path: string): Database {
  if (path !== MEMORY) createPrivate(path)
  const db = new Database(path, { create: true, strict: true })
  try {
    db.run('PRAGMA journal_mode=WAL')
    // A power failure may lose the last updates; they are read from the change log again.
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

/** Creates the file readable by its owner only; SQLite copies its mode to -wal and -shm. */
const createPrivate = (path: string) => writeFileSync(path, '', { flag: 'a', mode: 0o600 })

function discard(path: string): void {
  if (path === MEMORY) return
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
}

const codeOf = (error: unknown) => String((error as { code?: unknown }).code)

/** Whether an error means that the file is damaged. A missing table counts as damage. */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (
    /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error)) || /no such (table|column)/.test(error.message)
  )
}
