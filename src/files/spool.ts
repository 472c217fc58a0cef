import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Draft } from '../kernel/outside.ts'

/** Of files that are being written; what a crash leaves of them is known by it. */
export const PART = '.part-'

type Spooled = Omit<Draft, 'keep'> & { path: string }

/** Writes bytes into a file of its own as they come, synced, so that memory never holds them all. */
export async function spooled(folder: string, bytes: AsyncIterable<Uint8Array>): Promise<Spooled> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `${PART}${crypto.randomUUID()}`)
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
