import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileDraft } from '../kernel/services.ts'

/** Prefix of files that are being written; the process id and a unique name follow. */
export const PART_PREFIX = '.part-'

/** No upload takes this long. */
export const STALE_MS = 60 * 60 * 1000

type SpooledFile = Omit<FileDraft, 'save'> & { path: string }

/** Streams bytes into a new, synced file, so that memory never holds all of them. */
export async function spool(
  folder: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<SpooledFile> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `${PART_PREFIX}${process.pid}-${crypto.randomUUID()}`)
  const discard = () => rm(path, { force: true })
  const hash = new Bun.CryptoHasher('sha256')
  let size = 0
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of bytes) {
      hash.update(chunk)
      size += chunk.length
      await file.writeFile(chunk)
    }
    await file.sync()
  } catch (error) {
    await discard()
    throw error
  } finally {
    await file.close()
  }
  return {
    path,
    size,
    discard,
    sha256: hash.digest('hex'),
    head: async (length) => new Uint8Array(await Bun.file(path).slice(0, length).arrayBuffer()),
  }
}

/**
 * Removes files that crashed processes left half written and returns their number. If other
 * machines write into the folder as well, only the age shows that a file is abandoned.
 */
export async function removeStaleParts(folder: string, isShared: boolean): Promise<number> {
  let removed = 0
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(PART_PREFIX)) continue
    const path = join(folder, name)
    const isStale = isShared ? await isOld(path) : !isBeingWritten(name)
    if (!isStale) continue
    await rm(path, { force: true })
    removed++
  }
  return removed
}

const isOld = async (path: string) => {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > STALE_MS
}

/** Whether another process of this machine still writes the file; this one has not begun to. */
function isBeingWritten(name: string): boolean {
  const pid = Number(name.slice(PART_PREFIX.length).split('-')[0])
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}
