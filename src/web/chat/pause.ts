const AGAIN_MS = [500, 1000, 2000, 5000]

/** Longer each time; ends with what it waits for. */
export function pause(tries: number, signal: AbortSignal): Promise<void> {
  return new Promise((go, fail) => {
    const ms = AGAIN_MS[Math.min(tries, AGAIN_MS.length - 1)]!
    const timer = setTimeout(end, ms)
    function end() {
      clearTimeout(timer)
      removeEventListener('online', end)
      signal.removeEventListener('abort', end)
      if (signal.aborted) fail(signal.reason)
      else go()
    }
    addEventListener('online', end)
    signal.addEventListener('abort', end)
  })
}
