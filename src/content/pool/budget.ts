import { Fault } from '../../kernel/fault.ts'

const WINDOW_MS = 60_000

interface Usage {
  ms: number
  endsAt: number
}

/** Processor time that each credential may use for its texts, in windows of one minute. */
export class TimeBudget {
  private readonly usage = new Map<string, Usage>()
  private lastSweep = 0

  /** `seconds` 0 means no limit. */
  constructor(
    private readonly seconds: number,
    private readonly clock = () => performance.now(),
  ) {}

  check(credential: string) {
    const { ms, endsAt } = this.usageOf(credential)
    if (!this.seconds || ms < this.seconds * 1000) return
    const retry_after = Math.max(1, Math.ceil((endsAt - this.clock()) / 1000))
    throw new Fault(
      'rate_limited',
      `This credential has used its ${this.seconds} s of processor time for texts in this minute`,
      { retry_after, budget: 'text_seconds' },
      `Try again in ${retry_after} s. Short texts use almost none; the server operator sets the limit with CORK_TEXT_SECONDS`,
    )
  }

  charge(credential: string, ms: number) {
    const usage = this.usageOf(credential)
    this.usage.set(credential, { ...usage, ms: usage.ms + ms })
    this.sweep()
  }

  private usageOf(credential: string): Usage {
    const usage = this.usage.get(credential)
    const now = this.clock()
    return usage && usage.endsAt > now ? usage : { ms: 0, endsAt: now + WINDOW_MS }
  }

  private sweep() {
    const now = this.clock()
    if (now - this.lastSweep < WINDOW_MS) return
    this.lastSweep = now
    for (const [credential, { endsAt }] of this.usage)
      if (endsAt <= now) this.usage.delete(credential)
  }
}
