import { Database } from 'bun:sqlite'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../kernel/caller.ts'
import type { FileStore } from '../kernel/services.ts'
import { problemOf } from '../store/errors.ts'
import { migrationsFor } from '../store/known-migrations.ts'
import { migrate } from '../store/migrate.ts'
import {
  type DatabaseRestore,
  integrityErrors,
  restoreSqlite,
  type TableShape,
} from '../store/restore-sqlite.ts'
import { UnusableError } from '../store/unusable.ts'
import { type Bundle, type Manifest, readBackup } from './backup.ts'
import { damagedFile, firstBytes, syncToDisk } from './lines.ts'

export interface RestoreSummary {
  created_at: string | null
  cork: string | null
  rows: number
}

type OnProgress = (rows: number, total: number) => void

/** Whether a file is an SQLite database, such as those in the folder `backups`. */
export const isDatabase = async (path: string) =>
  (await firstBytes(path, 16)).toString() === 'SQLite format 3\0'

/**
 * Restores a file into a build folder, checks and migrates the database, and then renames the folder
 * to `staged` in one step.
 */
export async function stage(
  file: string,
  { build, staged, files }: { build: string; staged: string; files: FileStore },
  clock: Clock,
  onProgress: OnProgress,
): Promise<RestoreSummary> {
  mkdirSync(build, { mode: 0o700 })
  try {
    const path = join(build, 'corkboard.db')
    const summary = (await isDatabase(file))
      ? copyDatabase(file, path, clock())
      : await rebuildDatabase({ file, build, files }, clock, onProgress)
    rmSync(join(build, 'backups'), { recursive: true, force: true })
    writeFileSync(join(build, 'staged.json'), JSON.stringify({ at: clock().toISOString() }))
    for (const name of ['corkboard.db', 'staged.json']) await syncToDisk(join(build, name))
    await syncToDisk(build)
    if (existsSync(staged)) throw new UnusableError('Another restore started first. Try again.')
    renameSync(build, staged)
    return summary
  } catch (error) {
    rmSync(build, { recursive: true, force: true })
    throw error
  }
}

async function rebuildDatabase(
  { file, build, files }: { file: string; build: string; files: FileStore },
  clock: Clock,
  onProgress: OnProgress,
): Promise<RestoreSummary> {
  const { manifest, bundles } = await readBackup(file, files)
  const path = join(build, 'corkboard.db')
  const rebuild = restoreSqlite(path, migrationsFor(manifest, 'sqlite'), clock())
  const rows = await fill(rebuild, { file, manifest, bundles }, onProgress)
  const key = Buffer.from(manifest.signing_key, 'base64url')
  writeFileSync(join(build, 'signing.key'), key, { mode: 0o600, flush: true })
  return { created_at: manifest.created_at, cork: manifest.cork, rows }
}

interface Source {
  file: string
  manifest: Manifest
  bundles: AsyncGenerator<Bundle>
  /** The row of the signing key, if the database holds it. */
  key?: { name: string; sealed: string; created_at: Date }
}

/** The file may be intact: a full disk or an unreachable database has its own message. */
function restoreError(file: string, error: Error): UnusableError {
  if (error instanceof UnusableError) return error
  const failure = problemOf(error)
  if (!failure) return damagedFile(file, error.message)
  const { problem, remedy } = failure
  return new UnusableError(
    `${file} could not be restored: ${problem}. ${remedy} Nothing was changed.`,
  )
}

const SIGNING_KEYS: TableShape = {
  name: 'signing_keys',
  columns: [
    { name: 'name', kind: 'text' },
    { name: 'sealed', kind: 'text' },
    { name: 'created_at', kind: 'time' },
  ],
}

/** Inserts all rows. The rebuild finishes only after `readFile` has verified the end line. */
export async function fill(
  rebuild: DatabaseRestore,
  { file, manifest, bundles, key }: Source,
  onProgress: OnProgress,
): Promise<number> {
  const total = manifest.tables.reduce((sum, { rows }) => sum + rows, 0)
  let restoredRows = 0
  try {
    for await (const { layout, rows } of bundles) {
      await rebuild.insert(layout, rows)
      restoredRows += rows.length
      onProgress(restoredRows, total)
    }
    if (key)
      await rebuild.insert(SIGNING_KEYS, [[key.name, key.sealed, key.created_at.toISOString()]])
    await rebuild.finish(manifest.sequences)
    return restoredRows
  } catch (error) {
    await rebuild.abort()
    throw restoreError(file, error as Error)
  }
}

/** Restores a database that Corkboard set aside before a migration or another restore. */
function copyDatabase(file: string, path: string, now: Date): RestoreSummary {
  const database = new Database(file, { readonly: true })
  try {
    const [ailment] = integrityErrors(database)
    if (ailment) throw damagedFile(file, ailment)
    const migrationsTable = database
      .query("select 1 from sqlite_master where name = 'migrations'")
      .get()
    if (!migrationsTable)
      throw new UnusableError(`${file} is a database, but not a Corkboard database`)
    database.run('VACUUM INTO ?', [path])
    migrateDatabase(path, now)
    return { created_at: null, cork: null, rows: 0 }
  } catch (error) {
    throw error instanceof UnusableError ? error : damagedFile(file, (error as Error).message)
  } finally {
    database.close()
  }
}

/** Migrates an older database now, while the current one is still in use. */
function migrateDatabase(path: string, now: Date): void {
  const database = new Database(path, { strict: true })
  try {
    migrate(database, path, now)
  } finally {
    database.close()
  }
}
