import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { findServer, pathsIn, readLastBackup } from '../config/data-folder.ts'
import { type Finding, ok, problem, RESTORE, warning } from './finding.ts'

const MIN_FREE_BYTES = 100e6
const LOW_FREE_BYTES = 1e9
const DAY_MS = 24 * 60 * 60 * 1000
const MAX_BACKUP_DAYS = 7

export function checkFolder(folder: string): Finding[] {
  const check = 'data folder'
  if (!existsSync(folder))
    return [
      problem(
        check,
        `${folder} does not exist`,
        'Choose another with --data or CORK_DATA, or create one with "cork init"',
      ),
    ]
  if (!statSync(folder).isDirectory())
    return [problem(check, `${folder} is not a folder`, 'Choose another with --data or CORK_DATA')]
  const writeError = findWriteError(folder)
  if (writeError)
    return [
      problem(
        check,
        `${folder} cannot be written to: ${writeError}`,
        'Give it to the account that runs cork (chown), or mount it writable',
      ),
    ]
  return [...checkPrivacy(folder), checkDisk(folder)]
}

function findWriteError(folder: string): string | undefined {
  const { database, lock } = pathsIn(folder)
  try {
    for (const path of [folder, database, lock])
      if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

function checkPrivacy(folder: string): Finding[] {
  // Windows has no such permission bits.
  if (process.platform === 'win32') return []
  const { database, key } = pathsIn(folder)
  const readable = [folder, database, key].filter(
    (path) => existsSync(path) && statSync(path).mode & 0o077,
  )
  // Files inside a folder that others cannot enter are safe.
  if (!readable.includes(folder)) return [ok('data folder', `${folder} is private`)]
  return [
    warning(
      'data folder',
      `Other accounts on this machine can read ${folder}`,
      `Restrict access: chmod 700 ${folder}`,
    ),
  ]
}

function checkDisk(folder: string): Finding {
  const check = 'disk'
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const { database } = pathsIn(folder)
  const size = existsSync(database) ? statSync(database).size : 0
  const says = `${(free / 1e9).toFixed(1)} GB are free, and the database takes ${(size / 1e9).toFixed(3)} GB`
  const hint = 'Free some space, or move the data folder to a larger disk'
  if (free < MIN_FREE_BYTES) return problem(check, says, hint)
  // During a restore, the old and the new database exist at the same time.
  if (free < LOW_FREE_BYTES || free < 3 * size) return warning(check, says, hint)
  return ok(check, says)
}

const KEY_BYTES = 32

/** `isUsed`: whether tokens or sessions were signed with the key. */
export function checkKey(folder: string, isUsed: boolean): Finding {
  const check = 'signing key'
  const { key } = pathsIn(folder)
  if (!existsSync(key))
    return isUsed
      ? problem(
          check,
          `${key} is missing, but tokens and sessions were signed with it`,
          'Restore it from a backup. Otherwise the next start creates a new key, and everybody must sign in again and create new tokens',
        )
      : ok(check, 'is created at the first start')
  const { length } = readFileSync(key)
  if (length === KEY_BYTES) return ok(check, `${KEY_BYTES} bytes`)
  return problem(
    check,
    `${key} should be ${KEY_BYTES} bytes long but has ${length}`,
    'Restore it from a backup, or delete it: everybody must then sign in again and create new tokens',
  )
}

export async function checkServer(folder: string): Promise<Finding> {
  const check = 'server'
  const server = findServer(folder)
  if (!server) return ok(check, 'not running on this folder')
  const { pid, url } = server
  if (!url)
    return warning(
      check,
      `process ${pid} uses the folder but has no address yet`,
      'Check again soon',
    )
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(3000) })
    if (response.ok) return ok(check, `process ${pid} is ready at ${url}`)
    const hint = 'See its log; a restart often helps'
    return problem(check, `process ${pid} at ${url} is not ready: ${await response.text()}`, hint)
  } catch (error) {
    const says = `process ${pid} does not respond at ${url}: ${(error as Error).message}`
    return problem(check, says, 'See its log and restart it')
  }
}

export function checkBackups(folder: string, now: Date): Finding {
  const check = 'backups'
  const hint = 'Make a backup now: cork backup FILE. Then schedule it with CORK_BACKUP_SCHEDULE'
  try {
    const last = readLastBackup(folder)
    if (!last) return warning(check, '"cork backup" has never run here', hint)
    const { at, file } = last
    const days = Math.floor((now.getTime() - Date.parse(at)) / DAY_MS)
    const says = `the last one is ${days} days old: ${file}`
    return days > MAX_BACKUP_DAYS ? warning(check, says, hint) : ok(check, says)
  } catch {
    return warning(check, `${pathsIn(folder).lastBackup} cannot be read`, hint)
  }
}

/** The finding for a database file that cannot be opened. */
export const unreadableDatabase = (path: string, error: unknown): Finding =>
  problem('database', `${path} cannot be read: ${(error as Error).message}`, RESTORE)
