import type { Caller } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'
import type { Feed, Listener, Source, Told } from './feed.ts'

export interface Wish {
  caller: Caller
  /** The last change the listener knows of. */
  after: number
  project_id?: number
}

/** More than this, unread, and the connection is given up; the client resumes where it was. */
const MOST_EVENTS = 1000
const MOST_BYTES = 1024 * 1024
/** Old changes are read a few at a time, as fast as the client takes them. */
const STEP = 50

const encoder = new TextEncoder()

/** One open connection: what is waiting for it, and what its holder may hear. */
export class Stream implements Listener {
  private changes: Told[] = []
  // The first words make proxies and clients see that the stream is open.
  private texts: string[] = ['retry: 2000\n\n']
  private bytes = 0
  private working = false
  private more = false
  private joined = false
  private ended = false
  private checked = performance.now()
  private pinged = performance.now()
  private readonly seen = new Map<number, boolean>()
  private controller!: ReadableStreamDefaultController<Uint8Array>
  private wanted: (() => void) | undefined
  readonly body: ReadableStream<Uint8Array>

  constructor(
    private readonly feed: Feed,
    private readonly source: Source,
    private readonly wish: Wish,
    private readonly gone: () => void,
  ) {
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.controller = controller
        },
        pull: () => this.pull(),
        cancel: () => this.end(),
      },
      // The reader asks for every chunk, so that what it does not read waits here and is counted.
      { highWaterMark: 0 },
    )
    feed.enter(this)
    void this.work()
  }

  offer(changes: readonly Told[]) {
    this.changes.push(...changes)
    if (this.changes.length + this.texts.length > MOST_EVENTS) this.end()
    else void this.work()
  }

  tick() {
    if (performance.now() - this.pinged >= this.feed.pace.ping) {
      this.pinged = performance.now()
      this.write(': ping\n\n')
    }
    void this.work()
  }

  end() {
    if (this.ended) return
    this.ended = true
    this.feed.leave(this)
    this.changes = []
    this.texts = []
    this.wanted?.()
    this.gone()
    try {
      this.controller.close()
    } catch {
      // The reader went away first.
    }
  }

  private async pull() {
    if (!this.texts.length && !this.ended)
      await new Promise<void>((wanted) => {
        this.wanted = wanted
      })
    this.wanted = undefined
    if (this.ended) return
    const text = this.texts.join('')
    this.texts = []
    this.bytes = 0
    this.controller.enqueue(encoder.encode(text))
    if (!this.joined) void this.work()
  }

  private write(text: string) {
    if (this.ended) return
    this.texts.push(text)
    this.bytes += text.length
    if (this.bytes > MOST_BYTES || this.texts.length > MOST_EVENTS) this.end()
    else this.wanted?.()
  }

  /** One change at a time, so that what is told keeps its order. */
  private async work() {
    this.more = true
    if (this.working) return
    this.working = true
    try {
      while (this.more && !this.ended) {
        this.more = false
        if (this.joined) await this.tell(this.changes.splice(0))
        else await this.catchUp()
      }
    } catch (error) {
      if (!(error instanceof Fault)) this.source.failed(error)
      // The credential is no good any more, or the database is not: either way it is over.
      this.end()
    }
    this.working = false
  }

  private async catchUp() {
    if (this.texts.length >= STEP) return
    const batch = await this.source.since(this.wish.after, STEP)
    await this.tell(batch)
    if (batch.length < STEP && !this.ended) this.joined = this.feed.join(this, this.wish.after)
    this.more = true
  }

  private async tell(batch: readonly Told[]) {
    // Whatever is not about a task may have changed who sees what.
    await this.refresh(batch.some(({ type }) => !type.startsWith('task.')))
    const { caller, project_id } = this.wish
    const sees = (id: number) => this.sees(id)
    for (const change of batch) {
      if (this.ended) return
      if (change.seq <= this.wish.after) continue
      this.wish.after = change.seq
      if (project_id !== undefined && change.project_id !== project_id) continue
      if (await this.source.hears(caller, change, sees)) this.write(framed(change))
    }
  }

  private async refresh(unsettled: boolean) {
    if (!unsettled && performance.now() - this.checked < this.feed.pace.check) return
    this.checked = performance.now()
    this.seen.clear()
    this.wish.caller = await this.source.again(this.wish.caller)
  }

  private async sees(project_id: number): Promise<boolean> {
    const before = this.seen.get(project_id)
    if (before !== undefined) return before
    const now = await this.source.sees(this.wish.caller, project_id)
    this.seen.set(project_id, now)
    return now
  }
}

/** Every stream is told a change in the same words, so they are put together once. */
const frames = new WeakMap<Told, string>()

function framed(change: Told): string {
  const before = frames.get(change)
  if (before) return before
  const { seq, type, created_at, project_id, actor, data } = change
  const told = { id: seq, type, created_at: created_at.toISOString(), project_id, actor, data }
  const text = `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify(told)}\n\n`
  frames.set(change, text)
  return text
}
