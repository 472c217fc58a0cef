import { Database } from 'bun:sqlite'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { troubleOf } from './store/trouble.ts'
import { Unusable } from './store/unusable.ts'

/** A data folder that this process alone may serve until it is released. */
export interface DataFolder {
  database: string
  /** Lets a second process say where the first one is. */
  announce(about: Pick<Holder, 'url' | 'proxy'>): void
  /** Whether a restore waits to take the place of the data. */
  isStaged(): boolean
  /** Puts it there; the database must be closed. Answers where the old data went. */
  adopt(): string | undefined
  release(): void
}

interface Holder {
  pid?: number
  url?: string
  /** The address of a proxy whose forwarding headers the server ignores. */
  proxy?: string
}

/** Where everything of a data folder is. */
export const placesIn = (folder: string) => ({
  database: join(folder, 'corkboard.db'),
  key: join(folder, 'signing.key'),
  backups: join(folder, 'backups'),
  /** The bytes of attachments. */
  files: join(folder, 'files'),
  /** Made from the database, and made again whenever it is missing. */
  search: join(folder, 'search.db'),
  lock: join(folder, 'serve.lock'),
  about: join(folder, 'serve.json'),
  /** When "cork backup" was last run, and what it wrote. */
  lastBackup: join(folder, 'backup.json'),
  /** Whole as soon as it exists: it is built under another name. */
  staged: join(folder, 'restore'),
  build: join(folder, `restore.part-${process.pid}`),
})

/**
 * The lock is one of SQLite's, because the operating system lets go of it however a process ends:
 * nothing is left to clean up after a crash.
 */
export function openData(folder: string): DataFolder {
  const held = seize(folder)
  if (!held) throw taken(folder)
  return held
}

/** Where the data is on a database server there is nothing to lock: many may serve it. */
export const noFolder: DataFolder = {
  database: '',
  announce: () => {},
  isStaged: () => false,
  adopt: () => undefined,
  release: () => {},
}

/** As `openData`, or nothing where another process serves the folder. */
export function seize(folder: string): DataFolder | undefined {
  // Keys and other people's work are in it.
  process.umask(0o077)
  const { database, about, lock: path, staged } = placesIn(folder)
  const tell = (holder: Holder) => writeFileSync(about, JSON.stringify(holder), { mode: 0o600 })
  const lock = usable(folder, () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    removeStaleBuilds(folder)
    return hold(path)
  })
  if (!lock) return undefined
  const held: DataFolder = {
    database,
    announce: (about) => tell({ pid: process.pid, ...about }),
    isStaged: () => existsSync(staged),
    adopt: () => (existsSync(staged) ? usable(folder, () => swap(folder)) : undefined),
    release: () => lock.close(),
  }
  try {
    usable(folder, () => tell({ pid: process.pid }))
    // A crash in the middle of a restore is taken up before anybody opens the database.
    held.adopt()
    return held
  } catch (error) {
    lock.close()
    throw error
  }
}

/** Removes what restores left behind that were killed while they built. */
function removeStaleBuilds(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = /^restore\.part-(\d+)$/.exec(name)?.[1]
    if (pid && !isAlive(Number(pid))) rmSync(join(folder, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}

/** For commands beside a server: only looks that there is something, and that it stays. */
export function visitData(folder: string): { database: string } {
  process.umask(0o077)
  const { database, staged } = placesIn(folder)
  if (existsSync(staged)) {
    const held = seize(folder)
    if (!held)
      throw new Unusable(
        `A restore is about to take the place of the data in ${folder}. Try again in a moment.`,
      )
    held.release()
  }
  if (!existsSync(database))
    throw new Unusable(
      `There is no database in ${folder}. Name another folder with --data or CORK_DATA, or make one with "cork init".`,
    )
  return { database }
}

/** Whether a database is kept that a restore put aside, and that may be put back. */
export function keepsAside(folder: string): boolean {
  const { backups } = placesIn(folder)
  return existsSync(backups) && readdirSync(backups).some((name) => name.startsWith(ASIDE))
}

/** Who serves the folder now, if anybody does. */
export function serverOfData(folder: string): Holder | undefined {
  const { lock: path, about } = placesIn(folder)
  if (!existsSync(path)) return undefined
  const lock = hold(path)
  if (!lock) return holderOf(about)
  lock.close()
  return undefined
}

const ASIDE = 'before-restore-'

const FILES = [
  { name: 'signing.key', beside: [] },
  { name: 'corkboard.db', beside: ['corkboard.db-wal', 'corkboard.db-shm'] },
]

/** It may know texts that the data which takes its place never had. */
const INDEX = /^search(-\d+)?\.db(-wal|-shm)?$/

/** File by file, each step such that it can be taken up again after a crash. */
function swap(folder: string): string {
  const { staged, backups } = placesIn(folder)
  const { at } = JSON.parse(readFileSync(join(staged, 'staged.json'), 'utf8')) as { at: string }
  const aside = join(backups, ASIDE + at.replaceAll(':', '-'))
  mkdirSync(aside, { recursive: true, mode: 0o700 })
  const move = (name: string, from: string, to: string) => {
    if (existsSync(join(from, name))) renameSync(join(from, name), join(to, name))
  }
  for (const { name, beside } of FILES) {
    // Where it is gone from here it is in its place already.
    if (!existsSync(join(staged, name))) continue
    for (const old of [...beside, name]) move(old, folder, aside)
    move(name, staged, folder)
  }
  for (const name of readdirSync(folder)) if (INDEX.test(name)) rmSync(join(folder, name))
  rmSync(staged, { recursive: true })
  return aside
}

function hold(path: string): Database | undefined {
  const lock = new Database(path, { create: true })
  try {
    lock.run('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    const { code } = error as { code?: string }
    if (code === 'SQLITE_BUSY') return undefined
    if (code === 'SQLITE_NOTADB') throw new Error(`${path} is damaged; delete it, it holds nothing`)
    throw error
  }
}

function usable<T>(folder: string, job: () => T): T {
  try {
    return job()
  } catch (error) {
    const trouble = troubleOf(error)
    const why = trouble?.passes
      ? `${trouble.what}. ${trouble.next}`
      : `${(error as Error).message}. Check that it is a folder this account may write to, or name another with --data or CORK_DATA.`
    throw new Unusable(`The data folder ${folder} cannot be used: ${why}`)
  }
}

function taken(folder: string): Unusable {
  const { pid, url } = holderOf(placesIn(folder).about)
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
