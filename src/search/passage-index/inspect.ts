import { Database } from 'bun:sqlite'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { FORMAT } from './file.ts'

const BUSY_TIMEOUT_MS = 2000

/** Facts about an index file, readable while a server uses it. */
export interface IndexInfo {
  passages: number
  /** Position in the change log; undefined before the first scan is complete. */
  seq: number | undefined
  isOfThisVersion: boolean
}

/** Inspects an index file. Undefined if it does not exist; throws if it is damaged. */
export function inspectIndex(path: string): IndexInfo | undefined {
  if (!existsSync(path)) return undefined
  const db = new Database(path, { readonly: true })
  try {
    const { user_version } = db.query<{ user_version: number }, []>('PRAGMA user_version').get()!
    const isOfThisVersion = user_version === FORMAT
    if (!isOfThisVersion) return { isOfThisVersion, passages: 0, seq: undefined }
    const { quick_check: result } = db
      .query<{ quick_check: string }, []>('PRAGMA quick_check(1)')
      .get()!
    if (result !== 'ok') throw new Error(result)
    const { passages } = db
      .query<{ passages: number }, []>('SELECT count(*) AS passages FROM passages')
      .get()!
    const place = db.query<{ seq: number }, []>('SELECT seq FROM place').get()
    return { isOfThisVersion, passages, seq: place?.seq }
  } finally {
    db.close()
  }
}

/** Marks index files for a rebuild: a running server rebuilds at once, others at their start. */
export function resetIndexFiles(path: string): void {
  for (const file of indexFiles(path)) {
    try {
      const db = new Database(file, { readwrite: true })
      try {
        db.run(`PRAGMA busy_timeout=${BUSY_TIMEOUT_MS}`)
        db.run('INSERT OR REPLACE INTO again (one) VALUES (1)')
      } finally {
        db.close()
      }
    } catch {
      // A file that cannot be marked is damaged and would be deleted anyway.
      for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
    }
  }
}

/** The index files of all processes that share the folder. */
function indexFiles(path: string): string[] {
  const folder = dirname(path)
  const [name, extension] = basename(path).split('.')
  const pattern = new RegExp(`^${name}(-\\d+)?\\.${extension}$`)
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => pattern.test(file))
        .map((file) => join(folder, file))
    : []
}
