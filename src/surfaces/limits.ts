/** A minute's allowance, as the response headers tell it. */
export interface Allowance {
  limit: number
  remaining: number
  /** Seconds until the count begins again. */
  reset: number
  exceeded: boolean
}

/** Nothing where there is no limit; at once where nobody else has to be asked. */
export type Counted = Allowance | undefined | Promise<Allowance>

/** Requests of one name, and the moment at which they are counted anew. */
interface Window {
  count: number
  ends: number
}

const WINDOW_MS = 60_000

/** Counts requests in windows of one minute. */
export class RateLimiter {
  private windows = new Map<string, Window>()
  private swept = 0

  constructor(private readonly clock: () => number) {}

  take(key: string, limit: number): Allowance {
    const now = this.clock()
    const window = this.open(key) ?? { count: 0, ends: now + WINDOW_MS }
    window.count++
    this.keep(key, window)
    return this.allowance(window, limit)
  }

  /** What is known already: nothing in this minute can bring back an allowance that is used up. */
  spent(key: string, limit: number): Allowance | undefined {
    const window = this.open(key)
    return window && window.count > limit ? this.allowance(window, limit) : undefined
  }

  /** What others counted as well. */
  learn(key: string, limit: number, count: number, endsInMs: number): Allowance {
    const window = { count, ends: this.clock() + endsInMs }
    this.keep(key, window)
    return this.allowance(window, limit)
  }

  private open(key: string): Window | undefined {
    const window = this.windows.get(key)
    return window && window.ends > this.clock() ? window : undefined
  }

  private keep(key: string, window: Window) {
    this.sweep()
    this.windows.set(key, window)
  }

  private allowance({ count, ends }: Window, limit: number): Allowance {
    return {
      limit,
      remaining: Math.max(0, limit - count),
      reset: Math.ceil((ends - this.clock()) / 1000),
      exceeded: count > limit,
    }
  }

  private sweep() {
    const now = this.clock()
    if (now - this.swept < WINDOW_MS) return
    this.swept = now
    for (const [key, { ends }] of this.windows) if (ends <= now) this.windows.delete(key)
  }
}

/** A count that several processes share. */
interface Shared {
  count(name: string): Promise<{ count: number; endsInMs: number }>
}

const ALONE_MS = 5000

/** One allowance whichever process is asked; this process counts alone while the others are away. */
export class SharedLimiter {
  private aloneUntil = 0

  constructor(
    private readonly own: RateLimiter,
    private readonly shared: Shared,
    private readonly failed: (error: unknown) => void,
    private readonly clock: () => number,
  ) {}

  take(key: string, limit: number): Allowance | Promise<Allowance> {
    if (this.clock() < this.aloneUntil) return this.own.take(key, limit)
    return this.own.spent(key, limit) ?? this.together(key, limit)
  }

  private async together(key: string, limit: number): Promise<Allowance> {
    try {
      const { count, endsInMs } = await this.shared.count(key)
      return this.own.learn(key, limit, count, endsInMs)
    } catch (error) {
      if (this.clock() >= this.aloneUntil) this.failed(error)
      this.aloneUntil = this.clock() + ALONE_MS
      return this.own.take(key, limit)
    }
  }
}
