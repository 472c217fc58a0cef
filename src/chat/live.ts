import {
  broken,
  type Call,
  type ChatEvent,
  isCall,
  type Kept,
  type KeptCall,
  shownPart,
} from '../features/chat/index.ts'

type Keep = (parts: readonly Kept[]) => Promise<{ allow_writes: boolean } | undefined>

/** Kept at least so often while it grows, and said to be under way so often while it does not. */
const KEEP_MS = 1000
const BEAT_MS = 2000

/** An answer while this process gives it: what it has come to, who listens, when it was kept. */
export class Live {
  private readonly listeners = new Set<(event: ChatEvent) => void>()
  private readonly ending = new AbortController()
  private keeping: Promise<unknown> = Promise.resolve()
  private dirty = false
  private kept = performance.now()
  private readonly timer: Timer
  private done: ChatEvent | undefined

  constructor(
    private readonly first: ChatEvent,
    readonly parts: Kept[],
    private readonly store: Keep,
  ) {
    this.timer = setInterval(() => void this.beat(), KEEP_MS / 2)
  }

  get signal(): AbortSignal {
    return this.ending.signal
  }

  /** Ends it before its time: somebody stopped it, or this process is about to end. */
  end(why: 'stopped' | 'closing'): void {
    this.ending.abort(why)
  }

  say(text: string): void {
    const last = this.parts.at(-1)
    if (last && !isCall(last)) last.text += text
    else this.parts.push({ type: 'text', text })
    this.dirty = true
    this.tell({ type: 'text', text })
  }

  /** A call, new or as it stands now. */
  set(call: KeptCall): void {
    const at = this.parts.findIndex((part) => isCall(part) && part.call_id === call.call_id)
    if (at < 0) this.parts.push(call)
    else this.parts[at] = call
    this.dirty = true
    this.tell(told(call))
  }

  /** No call goes on, and none waits: this answer is over. */
  settle(): void {
    for (const part of broken(this.parts))
      if (isCall(part) && part.state !== this.find(part.call_id)?.state) this.set(part)
  }

  find(call_id: string): KeptCall | undefined {
    return this.parts.filter(isCall).find((call) => call.call_id === call_id)
  }

  /** Resolves when all of it is kept; nothing where somebody has ended it meanwhile. */
  keep(): Promise<{ allow_writes: boolean } | undefined> {
    const kept = this.keeping.then(async () => {
      this.dirty = false
      this.kept = performance.now()
      const thread = await this.store(this.parts)
      if (!thread) this.end('stopped')
      return thread
    })
    this.keeping = kept.catch(() => {
      this.dirty = true
    })
    return kept
  }

  /** Nothing more is kept, and whoever listens is told the end. */
  async close(last: () => Promise<ChatEvent>): Promise<void> {
    clearInterval(this.timer)
    await this.keeping
    this.done = await last()
    this.tell(this.done)
  }

  /** All of it from its beginning; or from now on, and before that how its calls stand. */
  listen(all: boolean): AsyncGenerator<ChatEvent> {
    const before = all ? this.parts : this.parts.filter(isCall)
    const heard: ChatEvent[] = [this.first, ...before.map(told)]
    if (this.done) heard.push(this.done)
    let wake = () => {}
    const hear = (event: ChatEvent) => {
      heard.push(event)
      wake()
    }
    if (!this.done) this.listeners.add(hear)
    const deaf = () => this.listeners.delete(hear)
    return following(heard, () => new Promise<void>((resolve) => (wake = resolve)), deaf)
  }

  private tell(event: ChatEvent): void {
    for (const hear of this.listeners) hear(event)
  }

  private async beat(): Promise<void> {
    const age = performance.now() - this.kept
    const isDue = age >= BEAT_MS || (this.dirty && age >= KEEP_MS / 2)
    if (isDue) await this.keep().catch(() => undefined)
  }
}

const told = (part: Kept): ChatEvent =>
  isCall(part) ? { type: 'call', call: shownPart(part) as Call } : { type: 'text', text: part.text }

async function* following(heard: ChatEvent[], more: () => Promise<unknown>, deaf: () => void) {
  try {
    for (;;) {
      const event = heard.shift()
      if (!event) await more()
      else yield event
      if (event?.type === 'done') return
    }
  } finally {
    deaf()
  }
}
