/** Commits of other processes do not wake a waiter, so it polls as well. */
const POLL_MS = 1000
/** Under load, one query after many writes costs less than one query after each. */
const GATHER_MS = 30
const MIN_INTERVAL_MS = 200
/** With many waiters, their queries are spread over time, so that writes get their turn. */
const DELAY_PER_WAITER_MS = 2.5
const MAX_DELAY_MS = 500

interface LongPollOptions<Result> {
  /** Calls back after each commit of this process, until the returned function is called. */
  onCommit?: ((listener: () => void) => () => void) | undefined
  seconds: number
  /** Aborted when the client is gone or its access ends. */
  signal?: AbortSignal | undefined
  query(): Promise<Result>
  /** Whether the result is worth returning at once. */
  hasResult(result: Result): boolean
}

/** Repeats a query after commits until it has a result or the caller's waiting time is over. */
export async function longPoll<Result>(options: LongPollOptions<Result>): Promise<Result> {
  const { onCommit, seconds, signal, query, hasResult } = options
  if (!seconds || !onCommit) return query()
  const end = performance.now() + seconds * 1000
  const wakeUp = new WakeUp()
  waiterCount++
  const unsubscribe = onCommit(() => wakeUp.signal())
  const onAbort = () => wakeUp.abort()
  signal?.addEventListener('abort', onAbort)
  try {
    if (!signal?.aborted) await wakeUp.wait(spreadDelay())
    for (;;) {
      wakeUp.reset()
      const result = await query()
      const remainingMs = end - performance.now()
      if (remainingMs <= 0 || signal?.aborted || hasResult(result)) return result
      await wakeUp.wait(remainingMs)
      if (signal?.aborted) return result
    }
  } finally {
    waiterCount--
    unsubscribe()
    signal?.removeEventListener('abort', onAbort)
  }
}

/** Waiters in this process. */
let waiterCount = 0

/** A random delay that grows with the number of waiters; 0 if there are few. */
function spreadDelay(): number {
  const ms = Math.min(MAX_DELAY_MS, waiterCount * DELAY_PER_WAITER_MS)
  return ms < GATHER_MS ? 0 : ms * (0.5 + Math.random() / 2)
}

/** Wakes one waiter shortly after a write. */
class WakeUp {
  private queriedAt = 0
  private isSignalled = false
  private timer: Timer | undefined
  private wake: (() => void) | undefined
  private remainingMs = 0

  reset() {
    this.queriedAt = performance.now()
    this.isSignalled = false
  }

  signal() {
    if (this.isSignalled) return
    this.isSignalled = true
    if (this.wake) this.schedule(this.wake)
  }

  abort() {
    clearTimeout(this.timer)
    this.wake?.()
  }

  async wait(remainingMs: number): Promise<void> {
    if (!remainingMs) return
    this.remainingMs = remainingMs
    await new Promise<void>((wake) => {
      this.wake = wake
      if (this.isSignalled) this.schedule(wake)
      else this.timer = setTimeout(wake, Math.min(remainingMs, POLL_MS))
    })
    this.wake = undefined
  }

  private schedule(wake: () => void) {
    clearTimeout(this.timer)
    const untilNextQuery = this.queriedAt + MIN_INTERVAL_MS - performance.now()
    this.timer = setTimeout(
      wake,
      Math.min(this.remainingMs, Math.max(GATHER_MS, untilNextQuery, spreadDelay())),
    )
  }
}
