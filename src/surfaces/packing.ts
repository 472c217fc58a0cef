import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { turnFor } from '../kernel/turns.ts'

/** Below this, packing takes longer than sending. */
const WORTH = 8192
const pack = promisify(gzip)

/** Whether a client takes a coding: it may name one only to refuse it. */
export const accepts = (accepted: string, coding: string) =>
  accepted.split(',').some((one) => {
    const [name, ...params] = one.split(';').map((part) => part.trim().toLowerCase())
    return name === coding && !params.some((param) => /^q=0(\.0*)?$/.test(param))
  })

/** Whether an answer is long enough that how it is sent depends on who asks. */
export const isWorthPacking = (text: string) => text.length >= WORTH

/** Made beside the main thread; the level that takes the least time. */
export async function packed(text: string): Promise<Uint8Array> {
  await turnFor(text.length)
  return pack(new TextEncoder().encode(text), { level: 1 })
}
