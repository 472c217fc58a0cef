import { CorkboardError, problemOf } from './problem.ts'
import { wait } from './retry.ts'

/** A change that the caller may see. */
export interface LiveEvent {
  /** The position in the change log; pass it as `lastEventId` to resume after it. */
  id: string
  /** Such as `task.created`. */
  type: string
  data: Record<string, unknown>
}

export interface EventsOptions {
  /** Only changes of this board. */
  project_id?: number
  /** Begin after this event. Otherwise the stream begins with new changes. */
  lastEventId?: string
  signal?: AbortSignal
  /** Called whenever the stream is open, also after a lost connection. */
  onOpen?: () => void
}

type Open = (lastEventId?: string) => Promise<Response>
const LONGEST_WAIT = 30_000

/** Yields changes as they happen. A lost connection resumes after the last change. */
export async function* liveEvents(
  open: Open,
  { lastEventId, signal, onOpen }: EventsOptions,
): AsyncGenerator<LiveEvent> {
  let delay = 1000
  while (!signal?.aborted) {
    try {
      const response = await open(lastEventId)
      if (!response.ok || !response.body) throw await problemOf(response)
      onOpen?.()
      for await (const event of parseEvents(response.body)) {
        delay = 1000
        lastEventId = event.id
        yield event
      }
    } catch (error) {
      if (signal?.aborted) return
      if (error instanceof CorkboardError && error.status < 500 && error.status !== 429) throw error
    }
    await wait(delay, signal).catch(() => undefined)
    delay = Math.min(delay * 2, LONGEST_WAIT)
  }
}

async function* parseEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<LiveEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as never).getReader()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += value
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parseEvent(block)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function parseEvent(block: string): LiveEvent | undefined {
  const fields: Record<string, string> = {}
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (name) fields[name] = fields[name] === undefined ? value : `${fields[name]}\n${value}`
  }
  if (!fields.data) return undefined
  return { id: fields.id ?? '', type: fields.event ?? 'message', data: JSON.parse(fields.data) }
}
