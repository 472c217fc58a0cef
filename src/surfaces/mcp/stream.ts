import type { JSONRPCMessage, MessageExtraInfo, Transport } from '@modelcontextprotocol/server'
import type { Caller } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'
import type { StreamLimit } from './stream-limit.ts'

const encoder = new TextEncoder()
const PING_MS = 15_000
/** A stream with more unread bytes is closed. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024

export const MESSAGES = '/message'

/** The server side of the older HTTP+SSE transport, on web streams. */
export class EventStream implements Transport {
  readonly sessionId = crypto.randomUUID()
  readonly response: Response
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void
  private controller!: ReadableStreamDefaultController<Uint8Array>
  private readonly pingTimer: Timer
  private isClosed = false

  /**
   * `checkAccess` is called at every ping. If it fails, the stream is closed. `address` is where
   * messages are posted, with the query of the stream, which selects tools.
   */
  constructor(
    pingMs = PING_MS,
    checkAccess: () => Promise<unknown> = async () => undefined,
    address = MESSAGES,
  ) {
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.controller = controller
        },
        cancel: () => this.close(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MAX_UNREAD_BYTES }),
    )
    this.response = new Response(body, {
      headers: {
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
      },
    })
    const [path, search] = address.split('?', 2)
    const query = new URLSearchParams(search)
    query.set('sessionId', this.sessionId)
    this.write(`event: endpoint\ndata: ${path}?${query}\n\n`)
    this.pingTimer = setInterval(() => {
      this.write(': ping\n\n')
      checkAccess().catch(() => this.close())
    }, pingMs)
  }

  async start() {}

  async send(message: JSONRPCMessage) {
    this.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
  }

  async close() {
    if (this.isClosed) return
    this.isClosed = true
    clearInterval(this.pingTimer)
    try {
      this.controller.close()
    } catch {
      // The reader closed it first.
    }
    this.onclose?.()
  }

  private write(text: string) {
    if (this.isClosed) return
    if ((this.controller.desiredSize ?? 0) <= 0) void this.close()
    else this.controller.enqueue(encoder.encode(text))
  }
}

/** The open streams. A stream takes messages only from the actor who opened it. */
export class Streams {
  private readonly streams = new Map<string, { stream: EventStream; owner: number }>()
  private isClosed = false

  constructor(
    private readonly refreshCaller: (caller: Caller) => Promise<unknown>,
    private readonly limit: StreamLimit,
    private readonly pingMs = PING_MS,
  ) {}

  open(caller: Caller, address = MESSAGES): EventStream {
    const owner = caller.actor_id
    const release = this.limit.take(owner)
    const stream = new EventStream(this.pingMs, () => this.refreshCaller(caller), address)
    this.streams.set(stream.sessionId, { stream, owner })
    stream.onclose = () => {
      release()
      this.streams.delete(stream.sessionId)
    }
    // During shutdown, connections that are still open may request new streams.
    if (this.isClosed) void stream.close()
    return stream
  }

  find(sessionId: string | null, owner: number): EventStream {
    const entry = sessionId === null ? undefined : this.streams.get(sessionId)
    if (entry?.owner === owner) return entry.stream
    throw new Fault(
      'not_found',
      'You have no open stream with this sessionId',
      { field: 'sessionId', code: 'not_found' },
      'Open one with GET /sse; its first event has the address to post to',
    )
  }

  closeAll() {
    this.isClosed = true
    for (const { stream } of this.streams.values()) void stream.close()
  }
}
