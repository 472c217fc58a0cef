import type { Logger } from 'pino'
import type { OpenStore } from '../../../store/store.ts'
import { Carrier, type Carrying } from './carrier.ts'

/** Other processes write too, and what failed is tried again. */
const POLL_MS = 1000
/** Under load, one look at many changes costs writers less than many looks at one. */
const GATHER_MS = 50
/** Whoever asks is told of what is missing for longer. */
const LATE_MS = 1500

export interface Feeding extends Carrying {
  store: Pick<OpenStore, 'read' | 'onCommit'>
  log: Pick<Logger, 'info' | 'warn' | 'error'>
}

/** Keeps a library at what the database says, a moment after each write. */
export class Feeder {
  private readonly carrier: Carrier
  private stopped = false
  private again = true
  private running: Promise<void> | undefined
  private failure = ''
  /** Since when there may be something to carry. */
  private behind: number | undefined
  private readonly deaf: () => void
  private readonly timer: Timer

  constructor(private readonly parts: Feeding) {
    this.carrier = new Carrier(parts, () => this.stopped)
    this.deaf = parts.store.onCommit(() => this.wake())
    this.timer = setInterval(() => this.wake(), POLL_MS)
    this.wake()
  }

  /** All that was written longer than a moment ago is in the library. */
  get isLevel(): boolean {
    const { carrier, behind } = this
    return carrier.isLevel && (behind === undefined || performance.now() - behind < LATE_MS)
  }

  /** The library turned out not to be what it was. */
  unsettled(): void {
    this.carrier.isLevel = false
    this.wake()
  }

  /** Waits for what is being handed over; the rest is taken up at the next start. */
  async stop(): Promise<void> {
    this.stopped = true
    this.deaf()
    clearInterval(this.timer)
    await this.running
  }

  private wake() {
    this.again = true
    this.behind ??= performance.now()
    if (!this.stopped) this.running ??= this.run()
  }

  private async run() {
    while (this.again && !this.stopped) {
      await Bun.sleep(GATHER_MS)
      this.again = false
      try {
        while (!this.stopped && !(await this.carrier.step()));
        this.failure = ''
        if (!this.again) this.behind = undefined
      } catch (error) {
        this.failed(error)
      }
    }
    this.running = undefined
  }

  /** What goes on failing is said once. */
  private failed(error: unknown) {
    const failure = String(error)
    if (failure !== this.failure)
      this.parts.log.error({ err: error }, 'The search index lags behind; it is tried again')
    this.failure = failure
  }
}
