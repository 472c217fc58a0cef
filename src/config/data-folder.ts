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
import { problemOf } from '../store/errors.ts'
import { UnusableError } from '../store/unusable.ts'

/** A data folder that this process has locked. No other process can serve it until `release`. */
export interface DataFolder {
  database: string
  /** Records the address of this server, so that a second process can name it in its error. */
  announce(about: Pick<Holder, 'url' | 'proxy'>): void
  /** Whether a restored copy is ready to replace the data. */
  hasStagedRestore(): boolean
  /**
   * Replaces the data by the restored copy while the database is closed. Returns where the old data
   * is.
   */
  applyRestore(): string | undefined
  release(): void
}

interface Holder {
  pid?: number
  url?: string
  /** The address of a proxy whose forwarding headers the server ignores. */
  proxy?: string
}

/** The paths of all files and folders in a data folder. */
export const pathsIn = (folder: string) => ({
  database: join(folder, 'corkboard.db'),
  key: join(folder, 'signing.key'),
  backups: join(folder, 'backups'),
  /** The bytes of attachments. */
  files: join(folder, 'files'),
  /** The search index. It is built from the database whenever it is missing. */
  search: join(folder, 'search.db'),
  lock: join(folder, 'serve.lock'),
  holderFile: join(folder, 'serve.json'),
  /** The time and the target of the last "cork backup". */
  lastBackup: join(folder, 'backup.json'),
  /** The restored copy. It is complete if it exists, because it is built under another name. */
  staged: join(folder, 'restore'),
  build: join(folder, `restore.part-${process.pid}`),
})

/** The time and the file of the last `cork backup`. Undefined if it never ran here. */
export function readLastBackup(folder: string): { at: string; file: string } | undefined {
  const { lastBackup } = pathsIn(folder)
  return existsSync(lastBackup) ? JSON.parse(readFileSync(lastBackup, 'utf8')) : undefined
}

/** Seconds since the last backup; NaN if none is known. */
export function ageOfBackup(folder: string, now: Date): number {
  try {
    return (now.getTime() - Date.parse(readLastBackup(folder)?.at ?? '')) / 1000
  } catch {
    return Number.NaN
  }
}

/**
 * Locks a data folder, or throws if another process serves it. The lock is one of SQLite's: the
 * operating system releases it however the process ends, so a crash leaves nothing to clean up.
 */
export function openDataFolder(folder: string): DataFolder {
  const opened = tryOpenDataFolder(folder)
  if (!opened) throw folderInUse(folder)
  return opened
}

/** For data on a database server, which several processes may serve. Nothing is locked. */
export const noDataFolder: DataFolder = {
  database: '',
  announce: () => {},
  hasStagedRestore: () => false,
  applyRestore: () => undefined,
  release: () => {},
}

/** Locks a data folder. Returns undefined if another process serves it. */
export function tryOpenDataFolder(folder: string): DataFolder | undefined {
  // The folder contains keys and other people's data.
  process.umask(0o077)
  const { database, holderFile, lock: path, staged } = pathsIn(folder)
  const writeHolder = (holder: Holder) =>
    writeFileSync(holderFile, JSON.stringify(holder), { mode: 0o600 })
  const lock = withFolderErrors(folder, () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    removeStaleBuilds(folder)
    return tryLock(path)
  })
  if (!lock) return undefined
  const opened: DataFolder = {
    database,
    announce: (about) => writeHolder({ pid: process.pid, ...about }),
    hasStagedRestore: () => existsSync(staged),
    applyRestore: () =>
      existsSync(staged) ? withFolderErrors(folder, () => swapData(folder)) : undefined,
    release: () => lock.close(),
  }
  try {
    withFolderErrors(folder, () => writeHolder({ pid: process.pid }))
    // If a crash interrupted a restore, it is finished before the database is opened.
    opened.applyRestore()
    return opened
  } catch (error) {
    lock.close()
    throw error
  }
}

/** Removes the unfinished copies of restores whose process is no longer alive. */
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

/**
 * For commands that run beside a server. Finishes a pending restore, and throws if there is no
 * database. Does not keep the folder locked.
 */
export function checkDataFolder(folder: string): { database: string } {
  process.umask(0o077)
  const { database, staged } = pathsIn(folder)
  if (existsSync(staged)) {
    const opened = tryOpenDataFolder(folder)
    if (!opened)
      throw new UnusableError(
        `A restore is about to replace the data in ${folder}. Try again in a moment.`,
      )
    opened.release()
  }
  if (!existsSync(database))
    throw new UnusableError(
      `There is no database in ${folder}. Choose another folder with --data or CORK_DATA, or create one with "cork init".`,
    )
  return { database }
}

/** Whether the folder still has a database that an earlier restore replaced. */
export function hasPreviousData(folder: string): boolean {
  const { backups } = pathsIn(folder)
  return (
    existsSync(backups) && readdirSync(backups).some((name) => name.startsWith(PREVIOUS_PREFIX))
  )
}

/** The process that serves the folder now, if there is one. */
export function findServer(folder: string): Holder | undefined {
  const { lock: path, holderFile } = pathsIn(folder)
  if (!existsSync(path)) return undefined
  const lock = tryLock(path)
  if (!lock) return readHolder(holderFile)
  lock.close()
  return undefined
}

const PREVIOUS_PREFIX = 'before-restore-'

const FILES = [
  { name: 'signing.key', sidecars: [] },
  { name: 'corkboard.db', sidecars: ['corkboard.db-wal', 'corkboard.db-shm'] },
]

/** A restore deletes the search index, which may contain texts that the restored data does not. */
const INDEX_FILE = /^search(-\d+)?\.db(-wal|-shm)?$/

/** Replaces the data file by file. After a crash at any step, the next call continues there. */
function swapData(folder: string): string {
  const { staged, backups } = pathsIn(folder)
  const { at } = JSON.parse(readFileSync(join(staged, 'staged.json'), 'utf8')) as { at: string }
  const previous = join(backups, PREVIOUS_PREFIX + at.replaceAll(':', '-'))
  mkdirSync(previous, { recursive: true, mode: 0o700 })
  const move = (name: string, from: string, to: string) => {
    if (existsSync(join(from, name))) renameSync(join(from, name), join(to, name))
  }
  for (const { name, sidecars } of FILES) {
    // A file that is missing here was moved before a crash.
    if (!existsSync(join(staged, name))) continue
    for (const file of [...sidecars, name]) move(file, folder, previous)
    move(name, staged, folder)
  }
  for (const name of readdirSync(folder)) if (INDEX_FILE.test(name)) rmSync(join(folder, name))
  rmSync(staged, { recursive: true })
  return previous
}

function tryLock(path: string): Database | undefined {
  const lock = new Database(path, { create: true })
  try {
    lock.run('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    const { code } = error as { code?: string }
    if (code === 'SQLITE_BUSY') return undefined
    if (code === 'SQLITE_NOTADB')
      throw new Error(`${path} is damaged; delete it, it contains no data`)
    throw error
  }
}

function withFolderErrors<T>(folder: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    const failure = problemOf(error)
    const reason = failure?.retryAfter
      ? `${failure.problem}. ${failure.remedy}`
      : `${(error as Error).message}. Check that it is a folder this account may write to, or choose another with --data or CORK_DATA.`
    throw new UnusableError(`The data folder ${folder} cannot be used: ${reason}`)
  }
}

function folderInUse(folder: string): UnusableError {
  const { pid, url } = readHolder(pathsIn(folder).holderFile)
  const holder = pid ? `another cork (process ${pid}${url ? `, at ${url}` : ''})` : 'another cork'
  return new UnusableError(
    `The data folder ${folder} is in use by ${holder}. Use that one, stop it first, or choose another folder with --data or CORK_DATA.`,
  )
}

/** The file only serves messages. If it cannot be read, the lock still tells who may serve. */
function readHolder(path: string): Holder {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return {}
  }
}
