import type { Signal, Signals } from '../kernel/services.ts'
import type { Notifier } from '../store/notifier.ts'

interface Retain {
  key: string
  ms: number
}

interface Message {
  signal: Signal
  retain?: Retain | undefined
  /** The process that sent it. */
  from: string
}

interface Retained {
  signal: Signal
  until: number
}

/** Beyond this many, the oldest signals are forgotten first. */
const MAX_RETAINED = 10_000

/** Delivers signals within this process and, with a notifier, to the other servers. */
export class LiveSignals implements Signals {
  private readonly listeners = new Set<(signal: Signal) => void>()
  private readonly kept = new Map<string, Retained>()
  private readonly from = crypto.randomUUID()
  private unsubscribe: (() => void) | undefined

  constructor(
    private readonly notifier: Pick<Notifier, 'send' | 'subscribe'> | undefined,
    private readonly elapsed: () => number = () => performance.now(),
  ) {}

  publish(signal: Signal, retain?: Retain): void {
    this.deliver({ signal, retain, from: this.from })
    this.notifier?.send(JSON.stringify({ signal, retain, from: this.from }))
  }

  retained(project_id: number): Signal[] {
    const now = this.elapsed()
    for (const [key, { until }] of this.kept) if (until <= now) this.kept.delete(key)
    return [...this.kept.values()]
      .map(({ signal }) => signal)
      .filter((signal) => signal.project_id === project_id)
  }

  subscribe(listener: (signal: Signal) => void): () => void {
    this.unsubscribe ??= this.notifier?.subscribe((text) => {
      const message = JSON.parse(text) as Message
      if (message.from !== this.from) this.deliver(message)
    })
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  private deliver({ signal, retain }: Message) {
    if (retain) {
      this.kept.delete(retain.key)
      if (retain.ms > 0) this.kept.set(retain.key, { signal, until: this.elapsed() + retain.ms })
      const oldest = this.kept.size > MAX_RETAINED && this.kept.keys().next().value
      if (oldest) this.kept.delete(oldest)
    }
    for (const listener of this.listeners) listener(signal)
  }
}
