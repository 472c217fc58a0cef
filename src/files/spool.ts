import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Draft } from '../kernel/outside.ts'

/** Of files that are being written, before the process that writes and a name of its own. */
export const PART = '.part-'

/** No upload takes as long as this. */
export const STALE_MS = 60 * 60 * 1000

type Spooled = Omit<Draft, 'keep'> & { path: string }

/** Writes bytes into a file of its own as they come, synced, so that memory never holds them all. */
export async function spooled(folder: string, bytes: AsyncIterable<Uint8Array>): Promise<Spooled> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `${PART}${process.pid}-${crypto.randomUUID()}`)
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
    ...{ path, size, discard },
    sha256: hash.digest('hex'),
    head: async (many) => new Uint8Array(await Bun.file(path).slice(0, many).arrayBuffer()),
  }
}

/**
 * Removes what crashed processes left half written; answers how many files that were. Where other
 * machines write into the folder as well, only age tells that nobody writes any more.
 */
export async function removeStaleParts(folder: string, isShared: boolean): Promise<number> {
  let removed = 0
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(PART)) continue
    const path = join(folder, name)
    const isStale = isShared ? await isOld(path) : !isWritten(name)
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

/** Whether another process of this machine is still writing it. This one has not begun to. */
function isWritten(name: string): boolean {
  const pid = Number(name.slice(PART.length).split('-')[0])
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}
