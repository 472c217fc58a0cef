/** The state of a rate limit, as the response headers show it. */
export interface Allowance {
  limit: number
  remaining: number
  /** Seconds until the window ends. */
  reset: number
  exceeded: boolean
}

/** Undefined if there is no limit. Not a promise if this process counts alone. */
export type CountedRequest = Allowance | undefined | Promise<Allowance>

/** The number of requests in a window, and the time at which it ends. */
interface Window {
  count: number
  ends: number
}

const WINDOW_MS = 60_000

/** Counts requests in windows of one minute. */
export class RateLimiter {
  private windows = new Map<string, Window>()
  private lastSweep = 0

  constructor(private readonly clock: () => number) {}

  take(key: string, limit: number): Allowance {
    const now = this.clock()
    const window = this.currentWindow(key) ?? { count: 0, ends: now + WINDOW_MS }
    window.count++
    this.storeWindow(key, window)
    return this.allowance(window, limit)
  }

  /** The allowance, if it is known to be used up. It stays so until the window ends. */
  exhausted(key: string, limit: number): Allowance | undefined {
    const window = this.currentWindow(key)
    return window && window.count > limit ? this.allowance(window, limit) : undefined
  }

  /** Takes over the count that all processes share. */
  setCount(key: string, limit: number, count: number, endsInMs: number): Allowance {
    const window = { count, ends: this.clock() + endsInMs }
    this.storeWindow(key, window)
    return this.allowance(window, limit)
  }

  private currentWindow(key: string): Window | undefined {
    const window = this.windows.get(key)
    return window && window.ends > this.clock() ? window : undefined
  }

  private storeWindow(key: string, window: Window) {
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
    if (now - this.lastSweep < WINDOW_MS) return
    this.lastSweep = now
    for (const [key, { ends }] of this.windows) if (ends <= now) this.windows.delete(key)
  }
}

/** A counter that several processes share. */
interface SharedCounter {
  count(name: string): Promise<{ count: number; endsInMs: number }>
}

const FALLBACK_MS = 5000

/** Counts in a shared counter. While that fails, this process counts alone for a few seconds. */
export class SharedLimiter {
  private fallbackUntil = 0

  constructor(
    private readonly localLimiter: RateLimiter,
    private readonly shared: SharedCounter,
    private readonly onFailure: (error: unknown) => void,
    private readonly clock: () => number,
  ) {}

  take(key: string, limit: number): Allowance | Promise<Allowance> {
    if (this.clock() < this.fallbackUntil) return this.localLimiter.take(key, limit)
    return this.localLimiter.exhausted(key, limit) ?? this.takeShared(key, limit)
  }

  private async takeShared(key: string, limit: number): Promise<Allowance> {
    try {
      const { count, endsInMs } = await this.shared.count(key)
      return this.localLimiter.setCount(key, limit, count, endsInMs)
    } catch (error) {
      if (this.clock() >= this.fallbackUntil) this.onFailure(error)
      this.fallbackUntil = this.clock() + FALLBACK_MS
      return this.localLimiter.take(key, limit)
    }
  }
}
