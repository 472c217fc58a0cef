import { basePath } from '../kit/base-path.ts'
import { isOtherUser } from './browser-user.ts'

/** A change as the event stream delivers it. */
export interface Change {
  seq: number
  type: string
  project_id: number | null
  actor?: ChangeActor
  data: ChangeData
  /** A position that includes the change, if the server has replicas. */
  position?: string
}

/** Who made a change. */
interface ChangeActor {
  kind: 'person' | 'agent' | 'system'
  name: string
  user_id?: number
  agent_id?: string
}

interface ChangeData {
  task_id?: number
  page_id?: number
  parent_task_id?: number
  /** The short fields that changed, before and after the change. */
  before?: { parent_task_id?: number | null }
  after?: { parent_task_id?: number | null }
}

/** A short message that is in no change log: who is there, or what is being typed. */
export interface Signal {
  type: string
  project_id: number
  data: Record<string, unknown>
}

export type LiveState = 'live' | 'connecting' | 'offline'

export interface ChangeListener {
  onChanges(changes: readonly Change[]): void
  onSignal(signal: Signal): void
  onState(state: LiveState): void
  /** The session has ended; the stream does not reconnect. */
  onSignedOut(): void
}

/** The listener of the tab that holds the stream and forwards its events to other tabs. */
interface LeaderListener extends ChangeListener {
  /** The server sent something, even if it was only a keep-alive. */
  onHeartbeat(): void
}

const RETRY_MS = [500, 1000, 2000, 5000, 10_000]
/**
 * The server sends something at least every 15 s; after a longer silence the connection is dead.
 */
const SILENCE_MS = 20_000

/**
 * Streams the changes that the user may see. After a lost connection it resumes at the last event.
 */
export function listenToChanges(listener: LeaderListener, lastEventId?: string): () => void {
  const end = new AbortController()
  const connect = async () => {
    for (let failures = 0; !end.signal.aborted; ) {
      listener.onState('connecting')
      const startedAt = performance.now()
      const isSignedOut = await readStream(listener, end.signal, lastEventId, (id) => {
        lastEventId = id
      })
      if (isSignedOut) return listener.onSignedOut()
      if (end.signal.aborted) return
      listener.onState('offline')
      failures = performance.now() - startedAt > SILENCE_MS ? 0 : failures + 1
      await waitOrOnline(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]!, end.signal)
    }
  }
  void connect()
  return () => end.abort()
}

/** Resolves when the connection ends; true if the session has ended too. */
async function readStream(
  listener: LeaderListener,
  signal: AbortSignal,
  lastEventId: string | undefined,
  onEventId: (id: string) => void,
): Promise<boolean> {
  const timeout = new AbortController()
  if (isOtherUser()) return true
  let silenceTimer = setTimeout(() => timeout.abort(), SILENCE_MS)
  try {
    const response = await fetch(`${basePath}/api/v1/events?signals=true`, {
      headers: {
        accept: 'text/event-stream',
        ...(lastEventId && { 'last-event-id': lastEventId }),
      },
      signal: AbortSignal.any([signal, timeout.signal]),
    })
    if (response.status === 401) return true
    if (!response.ok || !response.body) return false
    listener.onState('live')
    let remainder = ''
    for await (const text of chunksOf(response.body)) {
      clearTimeout(silenceTimer)
      silenceTimer = setTimeout(() => timeout.abort(), SILENCE_MS)
      listener.onHeartbeat()
      const blocks = (remainder + text).split('\n\n')
      remainder = blocks.pop()!
      const changes = blocks.flatMap((block) => parseBlock(block, listener, onEventId) ?? [])
      if (changes.length) listener.onChanges(changes)
    }
  } catch {
    // A network error has no details; the caller reconnects.
  } finally {
    clearTimeout(silenceTimer)
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

/** Returns the change of an event. Signals, which have no id, go to the listener. */
function parseBlock(
  block: string,
  { onSignal }: Pick<ChangeListener, 'onSignal'>,
  onEventId: (id: string) => void,
): Change | undefined {
  const fields: Record<string, string> = {}
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 1).trimStart()
  }
  if (!fields.data) return undefined
  if (!fields.id) return void onSignal({ ...JSON.parse(fields.data), type: fields.event })
  onEventId(fields.id)
  return { ...JSON.parse(fields.data), seq: Number(fields.id), type: fields.event ?? '' }
}

/** Waits, but returns early when the browser goes online. */
function waitOrOnline(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      removeEventListener('online', finish)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    addEventListener('online', finish)
    signal.addEventListener('abort', finish)
  })
}
