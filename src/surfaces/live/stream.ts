import { Batch, type StreamFilter } from './batch.ts'
import type { Intervals, Source } from './source.ts'
import type { Subscriber } from './subscriber.ts'

/** A stream with more unread bytes is ended. The client resumes from the last event it read. */
const MAX_UNREAD_BYTES = 1024 * 1024
/** How many old changes are read at a time. The next are read when the client has taken these. */
const CATCH_UP_LIMIT = 50

const encoder = new TextEncoder()
// Sending something at once shows proxies and clients that the stream is open.
const HELLO = encoder.encode('retry: 2000\n\n')
const PING = encoder.encode(': ping\n\n')

/** With no buffer of its own, the body pulls each chunk, so that unread chunks wait in `queue`. */
const ON_DEMAND = { highWaterMark: 0 }

/** The feed, as far as a stream uses it. */
interface StreamFeed {
  readonly intervals: Intervals
  join(stream: Stream): boolean
  leave(stream: Stream): void
}

interface Parts {
  feed: StreamFeed
  source: Source
  subscriber: Subscriber<Stream>
  filter: StreamFilter
  /** Called when the stream has ended. */
  onEnd: () => void
}

/** An open connection and its unread chunks. There may be thousands, so it must be small. */
export class Stream {
  /** Whether the feed sends it new changes. Before that, it reads old changes by itself. */
  isJoined = false
  lastPing = performance.now()
  readonly filter: StreamFilter
  readonly subscriber: Subscriber<Stream>
  readonly body: ReadableStream<Uint8Array>
  private readonly feed: StreamFeed
  private readonly source: Source
  private readonly onEnd: () => void
  private queue: Uint8Array[] = [HELLO]
  private queuedBytes = 0
  /** Whether the reader has pulled and waits for the next chunk. */
  private isReaderWaiting = false
  private isReading = false
  private isEnded = false
  private controller!: ReadableStreamDefaultController<Uint8Array>

  constructor({ feed, source, subscriber, filter, onEnd }: Parts) {
    this.feed = feed
    this.source = source
    this.subscriber = subscriber
    this.filter = filter
    this.onEnd = onEnd
    this.body = new ReadableStream(this, ON_DEMAND)
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>) {
    this.controller = controller
  }

  pull() {
    const next = this.queue.shift()
    if (next) {
      this.queuedBytes -= next.byteLength
      this.controller.enqueue(next)
    } else this.isReaderWaiting = true
    if (!this.isJoined) void this.catchUp()
  }

  cancel() {
    this.end()
  }

  /** Sends or queues a chunk without waiting. Several streams may share its bytes. */
  offer(chunk: Uint8Array) {
    if (this.isEnded) return
    if (this.isReaderWaiting) {
      this.isReaderWaiting = false
      this.controller.enqueue(chunk)
    } else if (this.queuedBytes > MAX_UNREAD_BYTES) this.end()
    else {
      this.queue.push(chunk)
      this.queuedBytes += chunk.byteLength
    }
  }

  ping() {
    this.lastPing = performance.now()
    if (this.isReaderWaiting) this.offer(PING)
  }

  end() {
    if (this.isEnded) return
    this.isEnded = true
    this.feed.leave(this)
    this.queue = []
    this.onEnd()
    try {
      this.controller.close()
    } catch {
      // The reader went away first.
    }
  }

  private async catchUp() {
    if (this.isReading) return
    this.isReading = true
    try {
      while (!this.isJoined && !this.isEnded && !this.queue.length) await this.readNext()
    } catch (error) {
      this.source.onError(error)
      this.end()
    }
    this.isReading = false
  }

  private async readNext() {
    const { filter, feed, subscriber } = this
    const changes = await this.source.changesSince(filter.after, CATCH_UP_LIMIT)
    if (changes.length) {
      const batch = new Batch(changes, filter.after)
      const mask = await subscriber.maskFor(batch, feed.intervals.check)
      const chunk = mask && batch.chunk(mask, filter)
      filter.after = batch.last
      if (chunk) this.offer(chunk)
    }
    if (changes.length < CATCH_UP_LIMIT && !this.isEnded) this.isJoined = feed.join(this)
  }
}
