import { Database } from 'bun:sqlite'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { FORMAT } from './file.ts'

const PATIENCE_MS = 2000

/** What a file of an index tells of itself, be a server at work with it or not. */
export interface Inspected {
  passages: number
  /** How far in the change log it has come; nothing before it is whole. */
  seq: number | undefined
  isOfThisVersion: boolean
}

/** Nothing where there is none; throws where it is damaged. */
export function inspected(path: string): Inspected | undefined {
  if (!existsSync(path)) return undefined
  const db = new Database(path, { readonly: true })
  try {
    const { user_version } = db.query<{ user_version: number }, []>('PRAGMA user_version').get()!
    const isOfThisVersion = user_version === FORMAT
    if (!isOfThisVersion) return { isOfThisVersion, passages: 0, seq: undefined }
    const { quick_check: found } = db
      .query<{ quick_check: string }, []>('PRAGMA quick_check(1)')
      .get()!
    if (found !== 'ok') throw new Error(found)
    const { passages } = db
      .query<{ passages: number }, []>('SELECT count(*) AS passages FROM passages')
      .get()!
    const place = db.query<{ seq: number }, []>('SELECT seq FROM place').get()
    return { isOfThisVersion, passages, seq: place?.seq }
  } finally {
    db.close()
  }
}

/** Whoever has the files opens them empty from now on: a server at once, others when they start. */
export function forgetFiles(path: string): void {
  for (const file of filesBeside(path)) {
    try {
      const db = new Database(file, { readwrite: true })
      try {
        db.run(`PRAGMA busy_timeout=${PATIENCE_MS}`)
        db.run('INSERT OR REPLACE INTO again (one) VALUES (1)')
      } finally {
        db.close()
      }
    } catch {
      // What cannot be told so is damaged, and would be thrown away anyhow.
      for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
    }
  }
}

/** Of every process that has an index there. */
function filesBeside(path: string): string[] {
  const folder = dirname(path)
  const [name, end] = basename(path).split('.')
  const isOne = new RegExp(`^${name}(-\\d+)?\\.${end}$`)
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => isOne.test(file))
        .map((file) => join(folder, file))
    : []
}
