import type { Caller } from '../../kernel/caller.ts'
import { Batch, type Part } from './batch.ts'
import { Ear } from './ear.ts'
import type { Pace, Source } from './source.ts'
import { Stream } from './stream.ts'
import { Turn } from './turn.ts'

const BATCH = 200
/** How many credentials are looked up at a time, as a database may be far away. */
const ABREAST = 16
/** So much takes as long to send as it takes to send something at all. */
const HEAVY_BYTES = 16 * 1024
/** So long at most the feed rests, after it took as long to tell something to everybody. */
const REST_MS = 100

const CALM: Pace = { poll: 1000, check: 5000, ping: 15_000 }

/** Reads the change log once for all who listen, and not at all while nobody does. */
export class Feed {
  /** Everybody connected, among them those who still catch up; pinged longest ago first. */
  private readonly present = new Set<Stream>()
  /** The same, by their credentials. */
  private readonly ears = new Map<string, Ear<Stream>>()
  private joined = 0
  private seq = 0
  private again = false
  private pumping = false
  private sweeping = false
  private stop: (() => void) | undefined
  closed = false

  constructor(
    private readonly source: Source,
    readonly pace: Pace = CALM,
  ) {}

  get size() {
    return this.present.size
  }

  /** A stream for whoever asks; it is sent as soon as its body is read. */
  open(caller: Caller, wish: Part, gone: () => void): Stream {
    let ear = this.ears.get(caller.credential)
    if (!ear) {
      ear = new Ear(this.source, caller)
      this.ears.set(caller.credential, ear)
    }
    const stream = new Stream({ feed: this, source: this.source, ear, wish, gone })
    ear.streams.add(stream)
    this.present.add(stream)
    this.stop ??= this.start()
    return stream
  }

  /** Joins, if it has read as far as the others have; it catches up by itself until then. */
  join({ wish }: Stream): boolean {
    if (!this.joined) this.seq = wish.after
    if (wish.after < this.seq) return false
    this.joined++
    this.wake()
    return true
  }

  leave(stream: Stream) {
    const { ear, joined } = stream
    if (joined) this.joined--
    this.present.delete(stream)
    ear.streams.delete(stream)
    const name = ear.caller.credential
    if (!ear.streams.size && this.ears.get(name) === ear) this.ears.delete(name)
    if (this.present.size) return
    this.stop?.()
    this.stop = undefined
  }

  /** Ends every stream; no other will begin. */
  close() {
    this.closed = true
    for (const stream of [...this.present]) stream.end()
  }

  private start() {
    const wake = () => this.wake()
    const deaf = this.source.onCommit(wake)
    const poll = setInterval(() => {
      wake()
      void this.sweep()
    }, this.pace.poll)
    return () => {
      deaf()
      clearInterval(poll)
    }
  }

  private wake() {
    this.again = true
    if (!this.pumping) void this.pump()
  }

  private async pump() {
    this.pumping = true
    try {
      while (this.again && this.joined) {
        this.again = false
        const began = performance.now()
        await this.step()
        const took = performance.now() - began
        // Half of the thread is left to those who write, and they give more to tell at a time.
        if (took > 1) await Bun.sleep(Math.min(took, REST_MS))
      }
    } catch (error) {
      this.source.failed(error)
    }
    this.pumping = false
  }

  private async step() {
    const from = this.seq
    const changes = await this.source.since(from, BATCH)
    // Everybody may have left and somebody else come while this was read.
    if (!changes.length || this.seq !== from) return
    const batch = new Batch(changes, from)
    this.seq = batch.last
    await this.all((ear, turn) => this.tell(ear, batch, turn))
    if (changes.length === BATCH) this.again = true
  }

  private async tell(ear: Ear<Stream>, batch: Batch, turn: Turn) {
    const heard = await ear.hear(batch, this.pace.check)
    if (heard === undefined) return
    for (const stream of ear.streams) {
      const chunk = stream.joined ? batch.chunk(heard, stream.wish) : undefined
      if (chunk) stream.offer(chunk)
      const pause = turn.step(1 + (chunk?.byteLength ?? 0) / HEAVY_BYTES)
      if (pause) await pause
    }
  }

  /** Something for each credential, some of them at a time. */
  private async all(job: (ear: Ear<Stream>, turn: Turn) => Promise<void>) {
    const turn = new Turn()
    const ears = [...this.ears.values()]
    for (let at = 0; at < ears.length; at += ABREAST) {
      await Promise.all(ears.slice(at, at + ABREAST).map((ear) => job(ear, turn)))
      await turn.step()
    }
  }

  /** Credentials that are no good any more end their streams, and those left are kept open. */
  private async sweep() {
    if (this.sweeping) return
    this.sweeping = true
    const { check } = this.pace
    try {
      await this.all(async (ear) => (ear.isDue(check) ? ear.check() : undefined))
      await this.ping()
    } catch (error) {
      this.source.failed(error)
    }
    this.sweeping = false
  }

  private async ping() {
    const turn = new Turn()
    const due = performance.now() - this.pace.ping
    for (const stream of this.present) {
      if (stream.pinged > due) return
      this.present.delete(stream)
      this.present.add(stream)
      stream.ping()
      await turn.step()
    }
  }
}
