import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FileDraft, FileStore, StoredFile } from '../kernel/services.ts'
import { PART_PREFIX, removeStaleParts, STALE_MS, spool } from './spool.ts'

const NAME = /^[0-9a-f]{64}$/
/** Suffix of files that are about to be removed. */
const REMOVAL_SUFFIX = '.doomed'

/** Stores files in a folder, each under its SHA-256: `ab/abcdef…`. */
export function diskFiles(folder: string): FileStore {
  const folderOf = (sha256: string) => join(folder, sha256.slice(0, 2))
  const pathOf = (sha256: string) => join(folderOf(sha256), sha256)
  return {
    location: `the folder ${folder}`,
    async draft(bytes): Promise<FileDraft> {
      const { path, ...draft } = await spool(folder, bytes)
      return { ...draft, save: () => moveInto(path, pathOf(draft.sha256), draft.size) }
    },
    async read(sha256, from = 0, to) {
      const file = Bun.file(pathOf(sha256))
      return (await file.exists()) ? file.slice(from, to) : undefined
    },
    list: () => listFiles(folder),
    remove: (sha256, before) => remove(pathOf(sha256), before),
    removeStale: (isShared) => removeStaleParts(folder, isShared),
    async check() {
      // Only an actual write shows that the folder is writable, above all on network disks.
      await (await spool(folder, noBytes())).discard()
    },
  }
}

/** Resolves once the file's name is synced to disk; its bytes were synced before. */
async function moveInto(draft: string, path: string, size: number): Promise<void> {
  const parent = dirname(path)
  if (!(await refreshTime(path, size))) {
    if (await mkdir(parent, { recursive: true, mode: 0o700 })) await syncParents(dirname(parent))
    await rename(draft, path)
  }
  await syncFolder(parent)
}

/** Sets the time of an existing file to now, so that no sweep removes it. */
async function refreshTime(path: string, size: number): Promise<boolean> {
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
 * The file is moved aside first. A concurrent save of the same bytes either finds no file and
 * writes it again, or updated its time before the move, which is checked here.
 */
async function remove(path: string, before: Date): Promise<boolean> {
  const aside = `${path}${REMOVAL_SUFFIX}`
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

/** Lists all files, and cleans up what crashes left behind. */
async function* listFiles(folder: string): AsyncGenerator<StoredFile> {
  for (const name of await readNames(folder)) {
    const path = join(folder, name)
    if (name.startsWith(PART_PREFIX)) await discardStale(path)
    else if (/^[0-9a-f]{2}$/.test(name)) yield* listSubfolder(path)
  }
}

async function* listSubfolder(subfolder: string): AsyncGenerator<StoredFile> {
  for (const name of await readNames(subfolder)) {
    const sha256 = name.replace(REMOVAL_SUFFIX, '')
    if (!NAME.test(sha256)) continue
    const found = await stat(join(subfolder, name)).catch(unlessMissing)
    if (!found) continue
    // Only a crash leaves a file in this state for so long.
    if (name !== sha256 && Date.now() - found.ctimeMs > STALE_MS) await restore(subfolder, sha256)
    else if (name !== sha256) continue
    yield { sha256, size: found.size, kept_at: found.mtime }
  }
}

async function restore(subfolder: string, sha256: string): Promise<void> {
  const path = join(subfolder, sha256)
  const exists = await stat(path).catch(unlessMissing)
  if (exists) await rm(`${path}${REMOVAL_SUFFIX}`, { force: true })
  else await rename(`${path}${REMOVAL_SUFFIX}`, path)
}

async function discardStale(path: string): Promise<void> {
  const found = await stat(path).catch(unlessMissing)
  if (found && Date.now() - found.mtimeMs > STALE_MS) await rm(path, { force: true })
}

async function readNames(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(unlessMissing)) ?? []
}

const isMissing = (error: unknown) => (error as { code?: string }).code === 'ENOENT'

function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
}

/** Also syncs the parent, because the folder itself may be new. */
async function syncParents(folder: string): Promise<void> {
  await syncFolder(folder)
  await syncFolder(dirname(folder))
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot sync folders and does not need it.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
