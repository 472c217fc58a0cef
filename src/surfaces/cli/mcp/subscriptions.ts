import { CommandError } from '../command.ts'
import { eventData, readBlocks } from '../event-stream.ts'
import { type ClientIdentity, inNewestRevision } from './headers.ts'
import type { Message } from './message.ts'

const RETRY_MS = 1000
const MAX_RETRY_MS = 30_000
const UPDATED = 'notifications/resources/updated'

interface SubscriptionParts {
  client: ClientIdentity
  /** Sends a request. The response may be an event stream. */
  open(message: Message, signal: AbortSignal): Promise<Response>
  notify(message: Message): void
  sleep(ms: number): Promise<void>
}

/** Why the server opens no stream. */
async function refusalIn(response: Response): Promise<string> {
  const text = await response.text()
  const refused = `The server refuses to watch resources (status ${response.status})`
  try {
    return (JSON.parse(text) as Message).error?.message ?? refused
  } catch {
    return refused
  }
}

interface Stream {
  blocks: AsyncGenerator<string>
  uris: readonly unknown[]
}

/**
 * Resources that an older client watches. Its requests end with their answer, so each resource has
 * a stream of the newest revision, which is opened again when it is lost.
 */
export class Subscriptions {
  private readonly stops = new Map<string, AbortController>()
  private count = 0

  constructor(private readonly parts: SubscriptionParts) {}

  /** Returns false if the client cannot read the resource. */
  async add(uri: string): Promise<boolean> {
    if (this.stops.has(uri)) return true
    const stop = new AbortController()
    const stream = await this.listen(uri, stop.signal)
    if (!stream?.uris.includes(uri)) {
      stop.abort()
      return false
    }
    this.stops.set(uri, stop)
    void this.follow(uri, stream, stop.signal)
    return true
  }

  remove(uri: string): void {
    this.stops.get(uri)?.abort()
    this.stops.delete(uri)
  }

  close(): void {
    for (const uri of this.stops.keys()) this.remove(uri)
  }

  /** Opens a stream. The server first says which resources it watches. */
  private async listen(uri: string, signal: AbortSignal): Promise<Stream | undefined> {
    const params = { notifications: { resourceSubscriptions: [uri] } }
    const message = { id: `cork-listen-${++this.count}`, method: 'subscriptions/listen', params }
    const response = await this.parts.open(inNewestRevision(message, this.parts.client), signal)
    if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
      throw new CommandError(await refusalIn(response))
    const blocks = readBlocks(response, signal)
    for (;;) {
      const { value, done } = await blocks.next()
      if (done) return undefined
      const { params: acknowledged } = (eventData(value) ?? {}) as Message
      const watched = acknowledged?.notifications as { resourceSubscriptions?: unknown[] }
      if (watched) return { blocks, uris: watched.resourceSubscriptions ?? [] }
    }
  }

  private async follow(uri: string, first: Stream, signal: AbortSignal): Promise<void> {
    let stream: Stream | undefined = first
    for (let wait = RETRY_MS; !signal.aborted; wait = Math.min(wait * 2, MAX_RETRY_MS)) {
      if (stream) {
        wait = RETRY_MS
        await this.forward(uri, stream).catch(() => undefined)
      }
      if (signal.aborted) return
      await this.parts.sleep(wait)
      stream = await this.listen(uri, signal).catch(() => undefined)
      // The resource may have changed while nobody listened.
      if (stream) this.parts.notify({ method: UPDATED, params: { uri } })
    }
  }

  private async forward(uri: string, { blocks }: Stream): Promise<void> {
    for await (const block of blocks)
      if ((eventData(block) as Message | undefined)?.method === UPDATED)
        this.parts.notify({ method: UPDATED, params: { uri } })
  }
}
