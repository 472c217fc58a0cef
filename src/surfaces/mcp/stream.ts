import type { JSONRPCMessage, MessageExtraInfo, Transport } from '@modelcontextprotocol/server'
import type { Caller } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'

const encoder = new TextEncoder()
const PING_MS = 15_000
/** A reader this far behind has stopped reading. */
const MOST_UNREAD_BYTES = 16 * 1024 * 1024

/** The server's half of the older HTTP+SSE transport, on web streams. */
export class EventStream implements Transport {
  readonly sessionId = crypto.randomUUID()
  readonly response: Response
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void
  private controller!: ReadableStreamDefaultController<Uint8Array>
  private readonly pinging: Timer
  private closed = false

  /** `still` is asked every time the stream is pinged, and ends it by failing. */
  constructor(pingMs = PING_MS, still: () => Promise<unknown> = async () => undefined) {
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.controller = controller
        },
        cancel: () => this.close(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MOST_UNREAD_BYTES }),
    )
    this.response = new Response(body, {
      headers: {
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
      },
    })
    this.write(`event: endpoint\ndata: /message?sessionId=${this.sessionId}\n\n`)
    this.pinging = setInterval(() => {
      this.write(': ping\n\n')
      still().catch(() => this.close())
    }, pingMs)
  }

  async start() {}

  async send(message: JSONRPCMessage) {
    this.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
  }

  async close() {
    if (this.closed) return
    this.closed = true
    clearInterval(this.pinging)
    try {
      this.controller.close()
    } catch {
      // The reader closed it first.
    }
    this.onclose?.()
  }

  private write(text: string) {
    if (this.closed) return
    if ((this.controller.desiredSize ?? 0) <= 0) void this.close()
    else this.controller.enqueue(encoder.encode(text))
  }
}

const MOST_STREAMS = 100

/** Open streams; each answers only to whoever opened it. */
export class Streams {
  private readonly known = new Map<string, { stream: EventStream; owner: number }>()
  private closed = false

  constructor(
    private readonly again: (caller: Caller) => Promise<unknown>,
    private readonly pingMs = PING_MS,
  ) {}

  open(caller: Caller): EventStream {
    const owner = caller.actor_id
    const theirs = [...this.known.values()].filter((one) => one.owner === owner)
    if (theirs.length >= MOST_STREAMS)
      throw new Fault(
        'rate_limited',
        `You have ${MOST_STREAMS} streams open already`,
        {},
        'Close one, or use POST /mcp, which needs none',
      )
    const stream = new EventStream(this.pingMs, () => this.again(caller))
    this.known.set(stream.sessionId, { stream, owner })
    stream.onclose = () => void this.known.delete(stream.sessionId)
    // It came over a connection that was open when the server began to stop.
    if (this.closed) void stream.close()
    return stream
  }

  find(sessionId: string | null, owner: number): EventStream {
    const found = sessionId === null ? undefined : this.known.get(sessionId)
    if (found?.owner === owner) return found.stream
    throw new Fault(
      'not_found',
      'You have no open stream with this sessionId',
      { field: 'sessionId', code: 'not_found' },
      'Open one with GET /sse; its first event says where to post',
    )
  }

  closeAll() {
    this.closed = true
    for (const { stream } of this.known.values()) void stream.close()
  }
}
