import type { Caller } from '../../kernel/caller.ts'
import type { Signal } from '../../kernel/services.ts'
import { Batch, encodeSignal, type StreamFilter } from './batch.ts'
import type { Intervals, Source } from './source.ts'
import { Stream } from './stream.ts'
import { Subscriber } from './subscriber.ts'
import { TimeSlice } from './time-slice.ts'

const BATCH = 200
/** How many credentials are looked up in parallel, because the database may be remote. */
const PARALLEL = 16
/** Sending this many bytes takes about as long as the fixed cost of a send. */
const BYTES_PER_STEP = 16 * 1024
/** The longest pause after a round. A pause lasts as long as the round, up to this. */
const REST_MS = 100

const DEFAULT_INTERVALS: Intervals = { poll: 1000, check: 5000, ping: 15_000 }

/** Reads the change log once for all open streams, and not at all while there are none. */
export class Feed {
  /** All open streams, including those that still catch up. The longest without a ping is first. */
  private readonly streams = new Set<Stream>()
  /** The same streams by credential. */
  private readonly subscribers = new Map<string, Subscriber<Stream>>()
  private joinedCount = 0
  private seq = 0
  private hasMore = false
  private isPumping = false
  private isSweeping = false
  private stop: (() => void) | undefined
  isClosed = false

  constructor(
    private readonly source: Source,
    readonly intervals: Intervals = DEFAULT_INTERVALS,
  ) {}

  get size() {
    return this.streams.size
  }

  /** Opens a stream. It begins to send when its body is read. */
  open(caller: Caller, filter: StreamFilter, onEnd: () => void): Stream {
    let subscriber = this.subscribers.get(caller.credential)
    if (!subscriber) {
      subscriber = new Subscriber(this.source, caller)
      this.subscribers.set(caller.credential, subscriber)
    }
    const stream = new Stream({ feed: this, source: this.source, subscriber, filter, onEnd })
    subscriber.streams.add(stream)
    this.streams.add(stream)
    this.stop ??= this.start()
    return stream
  }

  /** The changes from now on that the caller may see, as events. */
  async follow(caller: Caller): Promise<ReadableStream<Uint8Array>> {
    const after = await this.source.lastSeq()
    const stream = this.open(caller, { after }, () => undefined)
    // During shutdown, connections that are still open may request new streams.
    if (this.isClosed) stream.end()
    return stream.body
  }

  /** Adds a stream to the common feed if it has caught up. Until then it reads by itself. */
  join({ filter }: Stream): boolean {
    if (!this.joinedCount) this.seq = filter.after
    if (filter.after < this.seq) return false
    this.joinedCount++
    this.wake()
    return true
  }

  leave(stream: Stream) {
    const { subscriber, isJoined } = stream
    if (isJoined) this.joinedCount--
    this.streams.delete(stream)
    subscriber.streams.delete(stream)
    const credential = subscriber.caller.credential
    if (!subscriber.streams.size && this.subscribers.get(credential) === subscriber)
      this.subscribers.delete(credential)
    if (this.streams.size) return
    this.stop?.()
    this.stop = undefined
  }

  /** Ends all streams. The live route opens no others afterwards. */
  close() {
    this.isClosed = true
    for (const stream of [...this.streams]) stream.end()
  }

  private start() {
    const wake = () => this.wake()
    const unsubscribe = this.source.onCommit(wake)
    const unsubscribeSignals = this.source.onSignal((signal) => void this.signal(signal))
    const poll = setInterval(() => {
      wake()
      void this.sweep()
    }, this.intervals.poll)
    return () => {
      unsubscribe()
      unsubscribeSignals()
      clearInterval(poll)
    }
  }

  /** Sends a signal to the streams that want signals and may see its board. */
  private async signal(signal: Signal) {
    const chunk = encodeSignal(signal)
    await this.forEachSubscriber(async (subscriber, slice) => {
      const streams = [...subscriber.streams].filter(({ filter }) => filter.signals)
      if (!streams.length || !(await subscriber.canSee(signal.project_id))) return
      for (const stream of streams) {
        stream.offer(chunk)
        const pause = slice.step()
        if (pause) await pause
      }
    }).catch((error) => this.source.onError(error))
  }

  private wake() {
    this.hasMore = true
    if (!this.isPumping) void this.pump()
  }

  private async pump() {
    this.isPumping = true
    try {
      while (this.hasMore && this.joinedCount) {
        this.hasMore = false
        const startedAt = performance.now()
        await this.step()
        const took = performance.now() - startedAt
        // Half of the time is left to writers, so that the next round has more changes to send.
        if (took > 1) await Bun.sleep(Math.min(took, REST_MS))
      }
    } catch (error) {
      this.source.onError(error)
    }
    this.isPumping = false
  }

  private async step() {
    const from = this.seq
    const changes = await this.source.changesSince(from, BATCH)
    // While this was read, all streams may have left and others may have joined elsewhere.
    if (!changes.length || this.seq !== from) return
    const batch = new Batch(changes, from)
    this.seq = batch.last
    await this.forEachSubscriber((subscriber, slice) => this.deliver(subscriber, batch, slice))
    if (changes.length === BATCH) this.hasMore = true
  }

  private async deliver(subscriber: Subscriber<Stream>, batch: Batch, slice: TimeSlice) {
    const mask = await subscriber.maskFor(batch, this.intervals.check)
    if (mask === undefined) return
    for (const stream of subscriber.streams) {
      const chunk = stream.isJoined ? batch.chunk(mask, stream.filter) : undefined
      if (chunk) stream.offer(chunk)
      const pause = slice.step(1 + (chunk?.byteLength ?? 0) / BYTES_PER_STEP)
      if (pause) await pause
    }
  }

  /** Runs an action for every credential, some of them in parallel. */
  private async forEachSubscriber(
    action: (ear: Subscriber<Stream>, turn: TimeSlice) => Promise<void>,
  ) {
    const slice = new TimeSlice()
    const subscribers = [...this.subscribers.values()]
    for (let start = 0; start < subscribers.length; start += PARALLEL) {
      await Promise.all(
        subscribers.slice(start, start + PARALLEL).map((subscriber) => action(subscriber, slice)),
      )
      await slice.step()
    }
  }

  /** Ends the streams of invalid credentials, and pings the others. */
  private async sweep() {
    if (this.isSweeping) return
    this.isSweeping = true
    const { check: checkMs } = this.intervals
    try {
      await this.forEachSubscriber(async (subscriber) =>
        subscriber.isDue(checkMs) ? subscriber.checkNow() : undefined,
      )
      await this.ping()
    } catch (error) {
      this.source.onError(error)
    }
    this.isSweeping = false
  }

  private async ping() {
    const slice = new TimeSlice()
    const cutoff = performance.now() - this.intervals.ping
    for (const stream of this.streams) {
      if (stream.lastPing > cutoff) return
      this.streams.delete(stream)
      this.streams.add(stream)
      stream.ping()
      await slice.step()
    }
  }
}
