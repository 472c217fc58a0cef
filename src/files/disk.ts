import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Draft, FileStore, Stored } from '../kernel/outside.ts'
import { PART, removeStaleParts, STALE_MS, spooled } from './spool.ts'

const NAME = /^[0-9a-f]{64}$/
/** Between being chosen for removal and being removed. */
const DOOMED = '.doomed'

/** Files in a folder of the data folder, each under its SHA-256: `ab/abcdef…`. */
export function diskFiles(folder: string): FileStore {
  const shelf = (sha256: string) => join(folder, sha256.slice(0, 2))
  const pathOf = (sha256: string) => join(shelf(sha256), sha256)
  return {
    place: `the folder ${folder}`,
    async draft(bytes): Promise<Draft> {
      const { path, ...draft } = await spooled(folder, bytes)
      return { ...draft, keep: () => keep(path, pathOf(draft.sha256), draft.size) }
    },
    async read(sha256, from = 0, to) {
      const file = Bun.file(pathOf(sha256))
      return (await file.exists()) ? file.slice(from, to) : undefined
    },
    all: () => stored(folder),
    remove: (sha256, before) => remove(pathOf(sha256), before),
    removeStale: (isShared) => removeStaleParts(folder, isShared),
    async check() {
      // Only a write shows that one is possible, above all on a disk across a network.
      await (await spooled(folder, nothing())).discard()
    },
  }
}

/** The name is on disk before this resolves, as the bytes were before. */
async function keep(draft: string, path: string, size: number): Promise<void> {
  const shelf = dirname(path)
  if (!(await freshened(path, size))) {
    if (await mkdir(shelf, { recursive: true, mode: 0o700 })) await syncedUp(dirname(shelf))
    await rename(draft, path)
  }
  await synced(shelf)
}

/** Bytes that are there already are younger from now on, so that no sweep takes them. */
async function freshened(path: string, size: number): Promise<boolean> {
  const now = new Date()
  try {
    if ((await stat(path)).size !== size) return false
    await utimes(path, now, now)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

/**
 * Whoever keeps the same bytes meanwhile either finds the name gone and writes them anew, or made
 * the file younger before it was moved aside, which is then seen here.
 */
async function remove(path: string, before: Date): Promise<boolean> {
  const aside = `${path}${DOOMED}`
  try {
    await rename(path, aside)
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
  const { mtime } = await stat(aside)
  if (mtime >= before) {
    await rename(aside, path)
    return false
  }
  await rm(aside)
  return true
}

/** Everything that is kept. What a crash left on the way is put right in passing. */
async function* stored(folder: string): AsyncGenerator<Stored> {
  for (const name of await namesIn(folder)) {
    const path = join(folder, name)
    if (name.startsWith(PART)) await discardStale(path)
    else if (/^[0-9a-f]{2}$/.test(name)) yield* onShelf(path)
  }
}

async function* onShelf(shelf: string): AsyncGenerator<Stored> {
  for (const name of await namesIn(shelf)) {
    const sha256 = name.replace(DOOMED, '')
    if (!NAME.test(sha256)) continue
    const found = await stat(join(shelf, name)).catch(unlessMissing)
    if (!found) continue
    // Only a crash leaves it like this for so long.
    if (name !== sha256 && Date.now() - found.ctimeMs > STALE_MS) await restore(shelf, sha256)
    else if (name !== sha256) continue
    yield { sha256, size: found.size, kept_at: found.mtime }
  }
}

async function restore(shelf: string, sha256: string): Promise<void> {
  const path = join(shelf, sha256)
  const isThere = await stat(path).catch(unlessMissing)
  if (isThere) await rm(`${path}${DOOMED}`, { force: true })
  else await rename(`${path}${DOOMED}`, path)
}

async function discardStale(path: string): Promise<void> {
  const found = await stat(path).catch(unlessMissing)
  if (found && Date.now() - found.mtimeMs > STALE_MS) await rm(path, { force: true })
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(unlessMissing)) ?? []
}

const isMissing = (error: unknown) => (error as { code?: string }).code === 'ENOENT'

function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
}

/** A new shelf may be the first one, in a folder that is itself new. */
async function syncedUp(folder: string): Promise<void> {
  await synced(folder)
  await synced(dirname(folder))
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

async function synced(folder: string): Promise<void> {
  // Windows syncs no folders, and keeps their names by itself.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
