import { Database } from 'bun:sqlite'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../kernel/caller.ts'
import type { FileStore } from '../kernel/outside.ts'
import { migrate } from '../store/migrate.ts'
import { ailments, type Rebuild, rebuildSqlite, type Shape } from '../store/rebuild.ts'
import { migrationsFor } from '../store/shipped.ts'
import { troubleOf } from '../store/trouble.ts'
import { Unusable } from '../store/unusable.ts'
import { type Bundle, type Manifest, readBackup } from './backup.ts'
import { damaged, firstBytes, synced } from './lines.ts'

export interface Restored {
  created_at: string | null
  cork: string | null
  rows: number
}

type Told = (rows: number, of: number) => void

/** Whether a file is a database as SQLite keeps it, such as those in the folder `backups`. */
export const isDatabase = async (path: string) =>
  (await firstBytes(path, 16)).toString() === 'SQLite format 3\0'

/**
 * Builds what a file holds in a folder of its own, checked and brought up to this program; the
 * folder then takes its place beside the data in one step.
 */
export async function stage(
  file: string,
  { build, staged, files }: { build: string; staged: string; files: FileStore },
  clock: Clock,
  told: Told,
): Promise<Restored> {
  mkdirSync(build, { mode: 0o700 })
  try {
    const path = join(build, 'corkboard.db')
    const restored = (await isDatabase(file))
      ? copied(file, path, clock())
      : await rebuilt({ file, build, files }, clock, told)
    rmSync(join(build, 'backups'), { recursive: true, force: true })
    writeFileSync(join(build, 'staged.json'), JSON.stringify({ at: clock().toISOString() }))
    for (const name of ['corkboard.db', 'staged.json']) await synced(join(build, name))
    await synced(build)
    if (existsSync(staged)) throw new Unusable('Another restore was quicker. Try again.')
    renameSync(build, staged)
    return restored
  } catch (error) {
    rmSync(build, { recursive: true, force: true })
    throw error
  }
}

async function rebuilt(
  { file, build, files }: { file: string; build: string; files: FileStore },
  clock: Clock,
  told: Told,
): Promise<Restored> {
  const { manifest, bundles } = await readBackup(file, files)
  const path = join(build, 'corkboard.db')
  const rebuild = rebuildSqlite(path, migrationsFor(manifest, 'sqlite'), clock())
  const rows = await fill(rebuild, { file, manifest, bundles }, told)
  const key = Buffer.from(manifest.signing_key, 'base64url')
  writeFileSync(join(build, 'signing.key'), key, { mode: 0o600, flush: true })
  return { created_at: manifest.created_at, cork: manifest.cork, rows }
}

interface Source {
  file: string
  manifest: Manifest
  bundles: AsyncGenerator<Bundle>
  /** The signing key as its row, where the database is to hold it. */
  key?: { name: string; sealed: string; created_at: Date }
}

/** A sound file can meet a full disk, or a server that is gone. */
function refusal(file: string, error: Error): Unusable {
  if (error instanceof Unusable) return error
  const trouble = troubleOf(error)
  if (!trouble) return damaged(file, error.message)
  const { what, next } = trouble
  return new Unusable(`${file} could not be restored: ${what}. ${next} Nothing was changed.`)
}

const KEYS: Shape = {
  name: 'signing_keys',
  columns: [
    { name: 'name', kind: 'text' },
    { name: 'sealed', kind: 'text' },
    { name: 'created_at', kind: 'time' },
  ],
}

/** Nothing is finished before the last line of the file was found to seal the others. */
export async function fill(
  rebuild: Rebuild,
  { file, manifest, bundles, key }: Source,
  told: Told,
): Promise<number> {
  const total = manifest.tables.reduce((sum, { rows }) => sum + rows, 0)
  let done = 0
  try {
    for await (const { layout, rows } of bundles) {
      await rebuild.insert(layout, rows)
      done += rows.length
      told(done, total)
    }
    if (key) await rebuild.insert(KEYS, [[key.name, key.sealed, key.created_at.toISOString()]])
    await rebuild.finish(manifest.sequences)
    return done
  } catch (error) {
    await rebuild.abandon()
    throw refusal(file, error as Error)
  }
}

/** A database that the program put aside, before a migration or another restore. */
function copied(file: string, path: string, now: Date): Restored {
  const database = new Database(file, { readonly: true })
  try {
    const [fault] = ailments(database)
    if (fault) throw damaged(file, fault)
    const known = database.query("select 1 from sqlite_master where name = 'migrations'").get()
    if (!known) throw new Unusable(`${file} is a database, but not one of Corkboard`)
    database.run('VACUUM INTO ?', [path])
    brought(path, now)
    return { created_at: null, cork: null, rows: 0 }
  } catch (error) {
    throw error instanceof Unusable ? error : damaged(file, (error as Error).message)
  } finally {
    database.close()
  }
}

/** An older one is brought up to this program now, while the present one still serves. */
function brought(path: string, now: Date): void {
  const database = new Database(path, { strict: true })
  try {
    migrate(database, path, now)
  } finally {
    database.close()
  }
}
