import type { Logger } from 'pino'
import type { OpenStore } from '../../../store/store.ts'
import { Carrier, type Carrying } from './carrier.ts'

/** Other processes write too, and what failed is tried again. */
const POLL_MS = 1000
/** Under load, one look at many changes costs writers less than many looks at one. */
const GATHER_MS = 50

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
  private readonly deaf: () => void
  private readonly timer: Timer

  constructor(private readonly parts: Feeding) {
    this.carrier = new Carrier(parts, () => this.stopped)
    this.deaf = parts.store.onCommit(() => this.wake())
    this.timer = setInterval(() => this.wake(), POLL_MS)
    this.wake()
  }

  /** It has been level with the log since it began, or since all was built anew. */
  get isLevel(): boolean {
    return this.carrier.isLevel
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
    if (!this.stopped) this.running ??= this.run()
  }

  private async run() {
    while (this.again && !this.stopped) {
      await Bun.sleep(GATHER_MS)
      this.again = false
      try {
        while (!this.stopped && !(await this.carrier.step()));
        this.failure = ''
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
