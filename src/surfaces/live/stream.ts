import { Batch, type Part } from './batch.ts'
import type { Ear } from './ear.ts'
import type { Pace, Source } from './source.ts'

/** More than this, unread, and the connection is given up; the client resumes where it was. */
const MOST_BYTES = 1024 * 1024
/** Old changes are read a few at a time, as fast as the client takes them. */
const STEP = 50

const encoder = new TextEncoder()
// The first words make proxies and clients see that the stream is open.
const HELLO = encoder.encode('retry: 2000\n\n')
const PING = encoder.encode(': ping\n\n')

/** The reader asks for every chunk, so that what it does not read waits here and is counted. */
const ON_DEMAND = { highWaterMark: 0 }

/** Tells what happens to all who joined it. */
interface Teller {
  readonly pace: Pace
  join(stream: Stream): boolean
  leave(stream: Stream): void
}

interface Parts {
  feed: Teller
  source: Source
  ear: Ear<Stream>
  wish: Part
  /** Told when it is over. */
  gone: () => void
}

/** One open connection, and what waits to be read by it. There are thousands: it must be small. */
export class Stream {
  /** Whether the feed tells it what happens; it reads what happened before by itself. */
  joined = false
  pinged = performance.now()
  readonly wish: Part
  readonly ear: Ear<Stream>
  readonly body: ReadableStream<Uint8Array>
  private readonly feed: Teller
  private readonly source: Source
  private readonly gone: () => void
  private waiting: Uint8Array[] = [HELLO]
  private bytes = 0
  /** The reader waits for what comes next. */
  private wanted = false
  private reading = false
  private ended = false
  private controller!: ReadableStreamDefaultController<Uint8Array>

  constructor({ feed, source, ear, wish, gone }: Parts) {
    this.feed = feed
    this.source = source
    this.ear = ear
    this.wish = wish
    this.gone = gone
    this.body = new ReadableStream(this, ON_DEMAND)
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>) {
    this.controller = controller
  }

  pull() {
    const next = this.waiting.shift()
    if (next) {
      this.bytes -= next.byteLength
      this.controller.enqueue(next)
    } else this.wanted = true
    if (!this.joined) void this.catchUp()
  }

  cancel() {
    this.end()
  }

  /** Never waits. Many streams may be given the same bytes. */
  offer(chunk: Uint8Array) {
    if (this.ended) return
    if (this.wanted) {
      this.wanted = false
      this.controller.enqueue(chunk)
    } else if (this.bytes > MOST_BYTES) this.end()
    else {
      this.waiting.push(chunk)
      this.bytes += chunk.byteLength
    }
  }

  ping() {
    this.pinged = performance.now()
    if (this.wanted) this.offer(PING)
  }

  end() {
    if (this.ended) return
    this.ended = true
    this.feed.leave(this)
    this.waiting = []
    this.gone()
    try {
      this.controller.close()
    } catch {
      // The reader went away first.
    }
  }

  private async catchUp() {
    if (this.reading) return
    this.reading = true
    try {
      while (!this.joined && !this.ended && !this.waiting.length) await this.readOn()
    } catch (error) {
      this.source.failed(error)
      this.end()
    }
    this.reading = false
  }

  private async readOn() {
    const { wish, feed, ear } = this
    const changes = await this.source.since(wish.after, STEP)
    if (changes.length) {
      const batch = new Batch(changes, wish.after)
      const heard = await ear.hear(batch, feed.pace.check)
      const chunk = heard && batch.chunk(heard, wish)
      wish.after = batch.last
      if (chunk) this.offer(chunk)
    }
    if (changes.length < STEP && !this.ended) this.joined = feed.join(this)
  }
}
