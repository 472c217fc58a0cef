import {
  type Call,
  type ChatEvent,
  interruptedParts,
  isCall,
  publicPart,
  type StoredCall,
  type StoredPart,
} from '../features/conversation/chat/model/index.ts'

type Save = (parts: readonly StoredPart[]) => Promise<{ allow_writes: boolean } | undefined>

/** A growing answer is saved this often; one that does not grow renews `busy_until` that often. */
const SAVE_MS = 1000
const HEARTBEAT_MS = 2000

/** An answer that this process is generating: its parts, its listeners and when it was saved. */
export class LiveAnswer {
  private readonly listeners = new Set<(event: ChatEvent) => void>()
  private readonly abort = new AbortController()
  private saving: Promise<unknown> = Promise.resolve()
  private dirty = false
  private savedAt = performance.now()
  private readonly timer: Timer
  private done: ChatEvent | undefined

  constructor(
    private readonly first: ChatEvent,
    readonly parts: StoredPart[],
    private readonly write: Save,
  ) {
    this.timer = setInterval(() => void this.saveIfDue(), SAVE_MS / 2)
  }

  get signal(): AbortSignal {
    return this.abort.signal
  }

  /** Aborts the answer: somebody stopped it, or this process is closing. */
  end(reason: 'stopped' | 'closing'): void {
    this.abort.abort(reason)
  }

  appendText(text: string): void {
    const last = this.parts.at(-1)
    if (last && !isCall(last)) last.text += text
    else this.parts.push({ type: 'text', text })
    this.dirty = true
    this.emit({ type: 'text', text })
  }

  /** Adds or updates a call. */
  setCall(call: StoredCall): void {
    const index = this.parts.findIndex((part) => isCall(part) && part.call_id === call.call_id)
    if (index < 0) this.parts.push(call)
    else this.parts[index] = call
    this.dirty = true
    this.emit(eventOf(call))
  }

  /** Marks running calls as interrupted and waiting calls as declined, at the end of the answer. */
  interruptCalls(): void {
    for (const part of interruptedParts(this.parts))
      if (isCall(part) && part.state !== this.find(part.call_id)?.state) this.setCall(part)
  }

  find(call_id: string): StoredCall | undefined {
    return this.parts.filter(isCall).find((call) => call.call_id === call_id)
  }

  /** Resolves when the answer is saved; to undefined if somebody has ended it meanwhile. */
  save(): Promise<{ allow_writes: boolean } | undefined> {
    const saved = this.saving.then(async () => {
      this.dirty = false
      this.savedAt = performance.now()
      const thread = await this.write(this.parts)
      if (!thread) this.end('stopped')
      return thread
    })
    this.saving = saved.catch(() => {
      this.dirty = true
    })
    return saved
  }

  /** Stops saving, and sends the end to the listeners. */
  async close(makeEnd: () => Promise<ChatEvent>): Promise<void> {
    clearInterval(this.timer)
    await this.saving
    this.done = await makeEnd()
    this.emit(this.done)
  }

  /** The events from the beginning; or from now on, preceded by the state of each call. */
  listen(fromStart: boolean): AsyncGenerator<ChatEvent> {
    const before = fromStart ? this.parts : this.parts.filter(isCall)
    const queue: ChatEvent[] = [this.first, ...before.map(eventOf)]
    if (this.done) queue.push(this.done)
    let wake = () => {}
    const listener = (event: ChatEvent) => {
      queue.push(event)
      wake()
    }
    if (!this.done) this.listeners.add(listener)
    const unsubscribe = () => this.listeners.delete(listener)
    return eventsFrom(queue, () => new Promise<void>((resolve) => (wake = resolve)), unsubscribe)
  }

  private emit(event: ChatEvent): void {
    for (const listener of this.listeners) listener(event)
  }

  private async saveIfDue(): Promise<void> {
    const age = performance.now() - this.savedAt
    const isDue = age >= HEARTBEAT_MS || (this.dirty && age >= SAVE_MS / 2)
    if (isDue) await this.save().catch(() => undefined)
  }
}

const eventOf = (part: StoredPart): ChatEvent =>
  isCall(part)
    ? { type: 'call', call: publicPart(part) as Call }
    : { type: 'text', text: part.text }

async function* eventsFrom(
  queue: ChatEvent[],
  nextEvent: () => Promise<unknown>,
  unsubscribe: () => void,
) {
  try {
    for (;;) {
      const event = queue.shift()
      if (!event) await nextEvent()
      else yield event
      if (event?.type === 'done') return
    }
  } finally {
    unsubscribe()
  }
}
