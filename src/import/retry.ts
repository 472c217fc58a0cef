import { ImportApiError } from './api.ts'

/** The import was stopped by its signal. */
export class Stopped extends Error {}

export interface RetryOptions {
  signal: AbortSignal
  sleep(milliseconds: number): Promise<void>
}

const MAX_TRIES = 8
/** An error of the server itself is probably not over a moment later. */
const MAX_TRIES_AFTER_ERROR = 2
const FIRST_WAIT_MS = 500
const MAX_WAIT_MS = 30_000

/** Repeats a call that failed for a reason that may pass. Every call of an import is idempotent. */
export async function retrying<T>(call: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await call()
    } catch (error) {
      if (!mayPass(error)) throw error
      const tries = error.status === 500 ? MAX_TRIES_AFTER_ERROR : MAX_TRIES
      if (attempt >= tries) throw error
      const wait = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), MAX_WAIT_MS)
      await sleepUntilStopped(Math.max(wait, (error.retryAfter ?? 0) * 1000), options)
    }
}

function mayPass(error: unknown): error is ImportApiError {
  if (!(error instanceof ImportApiError)) return false
  const { status } = error
  return status === 0 || status === 408 || status === 429 || status >= 500
}

async function sleepUntilStopped(wait: number, { signal, sleep }: RetryOptions): Promise<void> {
  if (signal.aborted) throw new Stopped()
  let onAbort = () => {}
  const stopped = new Promise<void>((resolve) => {
    onAbort = resolve
  })
  signal.addEventListener('abort', onAbort)
  await Promise.race([sleep(wait), stopped])
  signal.removeEventListener('abort', onAbort)
  if (signal.aborted) throw new Stopped()
}
