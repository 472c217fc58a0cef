import { Fault } from '../../kernel/fault.ts'

const WINDOW_MS = 60_000

interface Spent {
  ms: number
  ends: number
}

/** Processor time that each credential may use for its texts, in windows of one minute. */
export class TimeBudget {
  private readonly spent = new Map<string, Spent>()
  private swept = 0

  /** 0 seconds: no limit. */
  constructor(
    private readonly seconds: number,
    private readonly clock = () => performance.now(),
  ) {}

  check(credential: string) {
    const { ms, ends } = this.of(credential)
    if (!this.seconds || ms < this.seconds * 1000) return
    const retry_after = Math.max(1, Math.ceil((ends - this.clock()) / 1000))
    throw new Fault(
      'rate_limited',
      `This credential used its ${this.seconds} s of processor time for texts in this minute`,
      { retry_after, budget: 'text_seconds' },
      `Try again in ${retry_after} s. Short texts use next to nothing; whoever runs the server sets the budget with CORK_TEXT_SECONDS`,
    )
  }

  charge(credential: string, ms: number) {
    const spent = this.of(credential)
    this.spent.set(credential, { ...spent, ms: spent.ms + ms })
    this.sweep()
  }

  private of(credential: string): Spent {
    const spent = this.spent.get(credential)
    const now = this.clock()
    return spent && spent.ends > now ? spent : { ms: 0, ends: now + WINDOW_MS }
  }

  private sweep() {
    const now = this.clock()
    if (now - this.swept < WINDOW_MS) return
    this.swept = now
    for (const [credential, { ends }] of this.spent) if (ends <= now) this.spent.delete(credential)
  }
}
