import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { yieldForLargeWork } from '../kernel/event-loop.ts'

/** Below this length, compressing takes longer than sending. */
const MIN_LENGTH = 8192
const gzipBytes = promisify(gzip)

/** Whether a client accepts an encoding. `q=0` means that it does not. */
export const acceptsEncoding = (acceptEncoding: string, coding: string) =>
  acceptEncoding.split(',').some((item) => {
    const [name, ...params] = item.split(';').map((part) => part.trim().toLowerCase())
    return name === coding && !params.some((param) => /^q=0(\.0*)?$/.test(param))
  })

/** Whether a text is long enough to be compressed for clients that accept it. */
export const isWorthCompressing = (text: string) => text.length >= MIN_LENGTH

/** Compresses outside the main thread, with the fastest level. */
export async function compress(text: string): Promise<Uint8Array> {
  await yieldForLargeWork(text.length)
  return gzipBytes(new TextEncoder().encode(text), { level: 1 })
}
