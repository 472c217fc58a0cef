import { Database } from 'bun:sqlite'
import { statSync } from 'node:fs'
import { count, desc, inArray, max } from 'drizzle-orm'
import { credentials } from '../features/identity/credentials/model/index.ts'
import type { Tx } from '../kernel/caller.ts'
import { findUnknown, isCurrent } from '../store/known-migrations.ts'
import { integrityErrors } from '../store/restore-sqlite.ts'
import type { Snapshot } from '../store/snapshot.ts'
import { changes, followers } from '../store/tables.ts'
import { type Finding, ok, problem, RESTORE, warning } from './finding.ts'

const FAR_BEHIND = 1000
const CLOCK_TOLERANCE_MS = 5 * 60 * 1000

export function checkFile(path: string): Finding {
  const database = new Database(path, { readonly: true })
  try {
    database.run('PRAGMA busy_timeout=5000')
    const errors = integrityErrors(database)
    if (!errors.length) return ok('database', `${path} is intact`)
    return problem('database', `${path} is damaged: ${errors.slice(0, 3).join('; ')}`, RESTORE)
  } finally {
    database.close()
  }
}

export function checkSchema({ engine, migrations }: Snapshot): Finding {
  const check = 'schema'
  const unknown = findUnknown(engine, migrations)
  if (unknown)
    return problem(
      check,
      `the database was changed by a newer cork (migration ${unknown})`,
      'Use that version, or restore a backup made before it',
    )
  if (isCurrent(engine, migrations)) return ok(check, `is at ${migrations.at(-1)}`)
  return warning(
    check,
    `the database is older than this cork (${migrations.at(-1) ?? 'empty'})`,
    'Start the server of this version: it migrates the database',
  )
}

export async function checkLog({ tx, engine, sequences }: Snapshot): Promise<Finding[]> {
  const check = 'change log'
  const [log] = await tx.select({ rows: count(), last: max(changes.seq) }).from(changes)
  const rows = Number(log!.rows)
  const last = Number(log!.last ?? 0)
  const missing = Math.max(last, sequences.changes ?? 0) - rows
  // On PostgreSQL, transactions that roll back leave gaps; on SQLite they do not.
  if (engine === 'sqlite' && missing > 0)
    return [
      warning(
        check,
        `${missing} of its entries are missing`,
        'This is expected if the data came from PostgreSQL. Otherwise someone deleted them: compare with a backup',
      ),
    ]
  const behind = (await tx.select().from(followers))
    .map(({ name, seq }) => ({ name, by: last - seq }))
    .filter(({ by }) => by > FAR_BEHIND)
  if (!behind.length) return [ok(check, `${rows} entries, and all followers are up to date`)]
  return behind.map(({ name, by }) =>
    warning(
      check,
      `${name} is ${by} entries behind`,
      'It catches up while the server runs; if not, see the server log',
    ),
  )
}

export async function checkClock(tx: Tx, now: Date, path?: string): Promise<Finding[]> {
  const check = 'clock'
  const [newest] = await tx.select().from(changes).orderBy(desc(changes.seq)).limit(1)
  const times = [newest?.created_at, path ? statSync(path).mtime : undefined]
  const ahead = times.find((time) => time && time.getTime() > now.getTime() + CLOCK_TOLERANCE_MS)
  const zone = process.env.TZ
  const findings: Finding[] = []
  if (ahead)
    findings.push(
      problem(
        check,
        `it says ${now.toISOString()}, but something was written at ${ahead.toISOString()}`,
        'Set the clock of this machine and keep it in sync with NTP',
      ),
    )
  if (zone && !isZone(zone))
    findings.push(
      warning(check, `TZ=${zone} is not a time zone`, 'Use a name such as Europe/Berlin'),
    )
  const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return findings.length ? findings : [ok(check, `${now.toISOString()}, zone ${localZone}`)]
}

function isZone(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: timeZone.replace(/^:/, '') }))
  } catch {
    return false
  }
}

/** Whether there are tokens or sessions, which need the key that they were signed with. */
export async function hasSignedCredentials(tx: Tx): Promise<boolean> {
  const signed = inArray(credentials.kind, ['token', 'session'])
  return (await tx.select().from(credentials).where(signed).limit(1)).length > 0
}
