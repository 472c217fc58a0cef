/** A minute's allowance, as the response headers tell it. */
export interface Allowance {
  limit: number
  remaining: number
  /** Seconds until the count begins again. */
  reset: number
  exceeded: boolean
}

const WINDOW_MS = 60_000

/** Counts requests in windows of one minute. */
export class RateLimiter {
  private windows = new Map<string, { count: number; ends: number }>()
  private swept = 0

  constructor(private readonly clock: () => number = Date.now) {}

  take(key: string, limit: number): Allowance {
    const now = this.clock()
    this.sweep(now)
    const open = this.windows.get(key)
    const window = open && open.ends > now ? open : { count: 0, ends: now + WINDOW_MS }
    if (window !== open) this.windows.set(key, window)
    window.count++
    return {
      limit,
      remaining: Math.max(0, limit - window.count),
      reset: Math.ceil((window.ends - now) / 1000),
      exceeded: window.count > limit,
    }
  }

  private sweep(now: number) {
    if (now - this.swept < WINDOW_MS) return
    this.swept = now
    for (const [key, { ends }] of this.windows) if (ends <= now) this.windows.delete(key)
  }
}
