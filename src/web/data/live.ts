import { isAnother } from './who.ts'

/** One change as the stream tells it. */
export interface Happening {
  seq: number
  type: string
  project_id: number | null
  data: HappeningData
}

interface HappeningData {
  task_id?: number
  page_id?: number
  parent_task_id?: number
  /** The short fields that changed, before and after the change. */
  before?: { parent_task_id?: number | null }
  after?: { parent_task_id?: number | null }
}

export type LiveState = 'live' | 'connecting' | 'offline'

export interface Ears {
  heard(happenings: readonly Happening[]): void
  state(state: LiveState): void
  /** The session is over, so nothing more is tried. */
  signedOut(): void
}

/** As `Ears`, of one who tells others. */
interface Inner extends Ears {
  /** The server is there, though nothing happened. */
  beat(): void
}

const AGAIN_MS = [500, 1000, 2000, 5000, 10_000]
/** The server speaks at least every 15 s; who says nothing for longer is gone. */
const SILENCE_MS = 20_000

/** Listens to what happens anywhere one may look, and goes on where it was after a lost connection. */
export function listen(ears: Inner, last?: string): () => void {
  const end = new AbortController()
  const run = async () => {
    for (let tries = 0; !end.signal.aborted; ) {
      ears.state('connecting')
      const began = performance.now()
      const over = await hear(ears, end.signal, last, (id) => {
        last = id
      })
      if (over) return ears.signedOut()
      if (end.signal.aborted) return
      ears.state('offline')
      tries = performance.now() - began > SILENCE_MS ? 0 : tries + 1
      await pause(AGAIN_MS[Math.min(tries, AGAIN_MS.length - 1)]!, end.signal)
    }
  }
  void run()
  return () => end.abort()
}

/** Until the connection ends; true where the session has. */
async function hear(
  ears: Inner,
  signal: AbortSignal,
  last: string | undefined,
  at: (id: string) => void,
): Promise<boolean> {
  const lost = new AbortController()
  if (isAnother()) return true
  let silence = setTimeout(() => lost.abort(), SILENCE_MS)
  try {
    const response = await fetch('/api/v1/events', {
      headers: { accept: 'text/event-stream', ...(last && { 'last-event-id': last }) },
      signal: AbortSignal.any([signal, lost.signal]),
    })
    if (response.status === 401) return true
    if (!response.ok || !response.body) return false
    ears.state('live')
    let rest = ''
    for await (const text of chunksOf(response.body)) {
      clearTimeout(silence)
      silence = setTimeout(() => lost.abort(), SILENCE_MS)
      ears.beat()
      const blocks = (rest + text).split('\n\n')
      rest = blocks.pop()!
      const happenings = blocks.flatMap((block) => happeningIn(block, at) ?? [])
      if (happenings.length) ears.heard(happenings)
    }
  } catch {
    // The network says no more than that it is gone.
  } finally {
    clearTimeout(silence)
  }
  return false
}

async function* chunksOf(body: ReadableStream<Uint8Array>) {
  const reader = body.pipeThrough(new TextDecoderStream() as never).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value as string
  }
}

function happeningIn(block: string, at: (id: string) => void): Happening | undefined {
  const said: Record<string, string> = {}
  for (const line of block.split('\n')) {
    const cut = line.indexOf(':')
    if (cut > 0) said[line.slice(0, cut)] = line.slice(cut + 1).trimStart()
  }
  if (!said.data || !said.id) return undefined
  at(said.id)
  return { ...JSON.parse(said.data), seq: Number(said.id), type: said.event ?? '' }
}

/** Shorter where the machine says that it is on the network again. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer)
      removeEventListener('online', go)
      signal.removeEventListener('abort', go)
      resolve()
    }
    const timer = setTimeout(go, ms)
    addEventListener('online', go)
    signal.addEventListener('abort', go)
  })
}
