import { Database } from 'bun:sqlite'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Unusable } from './store/migrate.ts'

/** A data folder that this process alone may write to until it is released. */
export interface DataFolder {
  database: string
  /** Lets a second process say where the first one is. */
  announce(url: string): void
  release(): void
}

interface Holder {
  pid?: number
  url?: string
}

/**
 * The lock is one of SQLite's, because the operating system lets go of it however a process ends:
 * nothing is left to clean up after a crash.
 */
export function openData(folder: string): DataFolder {
  // Keys and other people's work are in it.
  process.umask(0o077)
  const about = join(folder, 'serve.json')
  const tell = (holder: Holder) => writeFileSync(about, JSON.stringify(holder), { mode: 0o600 })
  const lock = usable(folder, () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return hold(join(folder, 'serve.lock'))
  })
  if (!lock) throw taken(folder, about)
  usable(folder, () => tell({ pid: process.pid }))
  return {
    database: join(folder, 'corkboard.db'),
    announce: (url) => tell({ pid: process.pid, url }),
    release: () => lock.close(),
  }
}

function hold(path: string): Database | undefined {
  const lock = new Database(path, { create: true })
  try {
    lock.run('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return undefined
    throw error
  }
}

function usable<T>(folder: string, job: () => T): T {
  try {
    return job()
  } catch (error) {
    throw new Unusable(
      `The data folder ${folder} cannot be used: ${(error as Error).message}. Check that it is a folder this account may write to, or name another with --data or CORK_DATA.`,
    )
  }
}

function taken(folder: string, about: string): Unusable {
  const { pid, url } = holderOf(about)
  const who = pid ? `another cork (process ${pid}${url ? `, at ${url}` : ''})` : 'another cork'
  return new Unusable(
    `The data folder ${folder} is in use by ${who}. Use that one, stop it first, or name another folder with --data or CORK_DATA.`,
  )
}

/** Only a courtesy: whatever is wrong with the file, the lock has already decided. */
function holderOf(about: string): Holder {
  try {
    return JSON.parse(readFileSync(about, 'utf8'))
  } catch {
    return {}
  }
}
