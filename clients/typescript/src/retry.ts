/** Statuses after which the same request may succeed. */
const TEMPORARY = new Set([429, 502, 503, 504])
const LONGEST_WAIT = 30_000

export interface Attempts {
  retries: number
  signal?: AbortSignal
}

/**
 * Sends a request until it gets a lasting answer. The request must be safe to repeat: a read, or a
 * write with an idempotency key.
 */
export async function withRetries(
  send: () => Promise<Response>,
  { retries, signal }: Attempts,
): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const isLast = attempt >= retries
    try {
      const response = await send()
      if (isLast || !TEMPORARY.has(response.status)) return response
      await response.body?.cancel()
      await wait(secondsIn(response) ?? backoff(attempt), signal)
    } catch (error) {
      if (isLast || signal?.aborted) throw error
      await wait(backoff(attempt), signal)
    }
  }
}

function secondsIn(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? Math.min(seconds * 1000, LONGEST_WAIT) : undefined
}

/** Doubles with each attempt. Half of it is random, so that clients do not return together. */
const backoff = (attempt: number) =>
  Math.min(250 * 2 ** attempt, LONGEST_WAIT) * (0.5 + Math.random() / 2)

export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
