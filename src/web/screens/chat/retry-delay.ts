const DELAYS_MS = [500, 1000, 2000, 5000]

/**
 * Waits before a retry, longer each time. Ends early when the browser is online again or the
 * request is aborted.
 */
export function waitBeforeRetry(attempts: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const ms = DELAYS_MS[Math.min(attempts, DELAYS_MS.length - 1)]!
    const timer = setTimeout(finish, ms)
    function finish() {
      clearTimeout(timer)
      removeEventListener('online', finish)
      signal.removeEventListener('abort', finish)
      if (signal.aborted) reject(signal.reason)
      else resolve()
    }
    addEventListener('online', finish)
    signal.addEventListener('abort', finish)
  })
}
