import { newIdempotencyKey, openStream } from '../../data/client.ts'
import { basePath } from '../../kit/base-path.ts'
import type { Call, Trouble } from './types.ts'

/** The events of an answer stream. */
export type StreamEvent =
  | { type: 'thread'; thread_id: number; title: string; asked: number | null; number: number }
  | { type: 'text'; text: string }
  | { type: 'call'; call: Call }
  | { type: 'done'; reason: Reason; trouble?: Trouble }
export type Reason = 'said' | 'waiting' | 'stopped' | 'steps' | 'tokens' | 'failed'

/** Creates a POST request. Retries send the same idempotency key, so the model runs once. */
export function postRequest(path: string, body: object): (signal: AbortSignal) => Request {
  const headers = {
    ...{ accept: 'text/event-stream', 'content-type': 'application/json' },
    'idempotency-key': newIdempotencyKey(),
  }
  return (signal) =>
    new Request(basePath + path, { method: 'POST', headers, body: JSON.stringify(body), signal })
}

export const getRequest = (path: string) => (signal: AbortSignal) =>
  new Request(basePath + path, { headers: { accept: 'text/event-stream' }, signal })

/**
 * The server sends something at least every 15 s; a longer silence means the connection is lost.
 */
const SILENCE_MS = 40_000

/**
 * Opens a stream and returns a function that reads it. That resolves to `done` at the end or `cut`
 * if the connection is lost.
 */
export async function openAnswer(
  createRequest: (signal: AbortSignal) => Request,
  signal: AbortSignal,
) {
  const silenceAbort = new AbortController()
  const body = await openStream(createRequest(AbortSignal.any([signal, silenceAbort.signal])))
  return async (onEvent: (event: StreamEvent) => void): Promise<'done' | 'cut'> => {
    const reader = body.pipeThrough(new TextDecoderStream() as never).getReader()
    let buffer = ''
    let silence: ReturnType<typeof setTimeout> | undefined
    try {
      for (;;) {
        silence = setTimeout(() => silenceAbort.abort(), SILENCE_MS)
        const { done, value } = await reader.read()
        clearTimeout(silence)
        if (done) return 'cut'
        const blocks = (buffer + (value as string)).split('\n\n')
        buffer = blocks.pop()!
        for (const event of blocks.flatMap((block) => parseEvent(block) ?? [])) {
          onEvent(event)
          if (event.type === 'done') return 'done'
        }
      }
    } catch {
      // A network error has no further details.
      return 'cut'
    } finally {
      clearTimeout(silence)
      reader.cancel().catch(() => {})
    }
  }
}

function parseEvent(block: string): StreamEvent | undefined {
  const fields: Record<string, string> = {}
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 1).trimStart()
  }
  if (!fields.event || !fields.data) return undefined
  return { ...JSON.parse(fields.data), type: fields.event }
}
