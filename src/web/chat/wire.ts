import { newKey, streamed } from '../data/client.ts'
import type { Call, Trouble } from './talk.ts'

/** What a stream of an answer tells. */
export type Told =
  | { type: 'thread'; thread_id: number; title: string; asked: number | null; number: number }
  | { type: 'text'; text: string }
  | { type: 'call'; call: Call }
  | { type: 'done'; reason: Reason; trouble?: Trouble }
export type Reason = 'said' | 'waiting' | 'stopped' | 'steps' | 'tokens' | 'failed'

/** Sent again, it is the same request: the model is asked once. */
export function posting(path: string, body: object): (signal: AbortSignal) => Request {
  const headers = {
    ...{ accept: 'text/event-stream', 'content-type': 'application/json' },
    'idempotency-key': newKey(),
  }
  return (signal) =>
    new Request(path, { method: 'POST', headers, body: JSON.stringify(body), signal })
}

export const reading = (path: string) => (signal: AbortSignal) =>
  new Request(path, { headers: { accept: 'text/event-stream' }, signal })

/** The server speaks at least every 15 s; who says nothing for longer is gone. */
const SILENCE_MS = 40_000

/** Opens a stream, and answers how it is read: whether it was told to its end or cut off. */
export async function opened(make: (signal: AbortSignal) => Request, signal: AbortSignal) {
  const lost = new AbortController()
  const body = await streamed(make(AbortSignal.any([signal, lost.signal])))
  return async (hear: (told: Told) => void): Promise<'done' | 'cut'> => {
    const reader = body.pipeThrough(new TextDecoderStream() as never).getReader()
    let rest = ''
    let silence: ReturnType<typeof setTimeout> | undefined
    try {
      for (;;) {
        silence = setTimeout(() => lost.abort(), SILENCE_MS)
        const { done, value } = await reader.read()
        clearTimeout(silence)
        if (done) return 'cut'
        const blocks = (rest + (value as string)).split('\n\n')
        rest = blocks.pop()!
        for (const told of blocks.flatMap((block) => toldIn(block) ?? [])) {
          hear(told)
          if (told.type === 'done') return 'done'
        }
      }
    } catch {
      // The network says no more than that it is gone.
      return 'cut'
    } finally {
      clearTimeout(silence)
      reader.cancel().catch(() => {})
    }
  }
}

function toldIn(block: string): Told | undefined {
  const said: Record<string, string> = {}
  for (const line of block.split('\n')) {
    const cut = line.indexOf(':')
    if (cut > 0) said[line.slice(0, cut)] = line.slice(cut + 1).trimStart()
  }
  if (!said.event || !said.data) return undefined
  return { ...JSON.parse(said.data), type: said.event }
}
