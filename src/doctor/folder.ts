import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { placesIn, serverOfData } from '../data.ts'
import { type Finding, ok, problem, RESTORE, warning } from './finding.ts'

const LEAST_BYTES = 100e6
const FEW_BYTES = 1e9
const DAY_MS = 24 * 60 * 60 * 1000
const OLD_DAYS = 7

export function checkFolder(folder: string): Finding[] {
  const check = 'data folder'
  if (!existsSync(folder))
    return [
      problem(
        check,
        `${folder} does not exist`,
        'Name another with --data or CORK_DATA, or make one with "cork init"',
      ),
    ]
  if (!statSync(folder).isDirectory())
    return [problem(check, `${folder} is no folder`, 'Name another with --data or CORK_DATA')]
  const refused = unwritable(folder)
  if (refused)
    return [
      problem(
        check,
        `${folder} cannot be written to: ${refused}`,
        'Give it to the account that runs cork (chown), or mount it for writing',
      ),
    ]
  return [...privacy(folder), room(folder)]
}

function unwritable(folder: string): string | undefined {
  const { database, lock } = placesIn(folder)
  try {
    for (const path of [folder, database, lock])
      if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

function privacy(folder: string): Finding[] {
  // Windows keeps its permissions elsewhere.
  if (process.platform === 'win32') return []
  const { database, key } = placesIn(folder)
  const open = [folder, database, key].filter(
    (path) => existsSync(path) && statSync(path).mode & 0o077,
  )
  // Within a folder that nobody else enters it does not matter.
  if (!open.includes(folder)) return [ok('data folder', `${folder} is ours alone`)]
  return [
    warning(
      'data folder',
      `Other accounts of this machine can look into ${folder}`,
      `Close it: chmod 700 ${folder}`,
    ),
  ]
}

function room(folder: string): Finding {
  const check = 'disk'
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const { database } = placesIn(folder)
  const size = existsSync(database) ? statSync(database).size : 0
  const says = `${(free / 1e9).toFixed(1)} GB are free, and the database has ${(size / 1e9).toFixed(3)} GB`
  const hint = 'Make room, or move the data folder to a larger disk'
  if (free < LEAST_BYTES) return problem(check, says, hint)
  // A restore holds the old database and the new one for a while.
  if (free < FEW_BYTES || free < 3 * size) return warning(check, says, hint)
  return ok(check, says)
}

const KEY_BYTES = 32

/** `used`: whether tokens or sessions were signed with it. */
export function checkKey(folder: string, used: boolean): Finding {
  const check = 'signing key'
  const { key } = placesIn(folder)
  if (!existsSync(key))
    return used
      ? problem(
          check,
          `${key} is gone, and tokens and sessions were signed with it`,
          'Restore it from a backup. Otherwise the next start makes another, and everybody signs in again and makes new tokens',
        )
      : ok(check, 'is made at the first start')
  const { length } = readFileSync(key)
  if (length === KEY_BYTES) return ok(check, `${KEY_BYTES} bytes`)
  return problem(
    check,
    `${key} should be ${KEY_BYTES} bytes long but has ${length}`,
    'Restore it from a backup, or delete it: everybody then signs in again and makes new tokens',
  )
}

export async function checkServer(folder: string): Promise<Finding> {
  const check = 'server'
  const holder = serverOfData(folder)
  if (!holder) return ok(check, 'none runs on this folder')
  const { pid, url } = holder
  if (!url)
    return warning(check, `process ${pid} holds the folder and tells no address`, 'Look again soon')
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(3000) })
    if (response.ok) return ok(check, `process ${pid} is ready at ${url}`)
    const hint = 'See its log; a restart often helps'
    return problem(check, `process ${pid} at ${url} is not ready: ${await response.text()}`, hint)
  } catch (error) {
    const says = `process ${pid} does not answer at ${url}: ${(error as Error).message}`
    return problem(check, says, 'See its log, and start it again')
  }
}

export function checkBackups(folder: string, now: Date): Finding {
  const check = 'backups'
  const hint = 'Take one now, and by a timer from then on: cork backup FILE'
  const { lastBackup } = placesIn(folder)
  if (!existsSync(lastBackup)) return warning(check, '"cork backup" was never run here', hint)
  try {
    const { at, file } = JSON.parse(readFileSync(lastBackup, 'utf8'))
    const days = Math.floor((now.getTime() - Date.parse(at)) / DAY_MS)
    const says = `the last one is ${days} days old: ${file}`
    return days > OLD_DAYS ? warning(check, says, hint) : ok(check, says)
  } catch {
    return warning(check, `${lastBackup} cannot be read`, hint)
  }
}

/** A database file that cannot even be opened. */
export const unreadable = (path: string, error: unknown): Finding =>
  problem('database', `${path} cannot be read: ${(error as Error).message}`, RESTORE)
