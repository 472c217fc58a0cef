import { createStore } from '../kit/store.ts'

/**
 * Longer than every rate-limit window of the server. A longer limit belongs to one operation, so
 * the app reports it instead of waiting.
 */
const MAX_PAUSE_MS = 60_000

/** When the pause that the server asked for ends, in epoch milliseconds; 0 without a pause. */
const pausedUntil = createStore(0)
export const usePausedUntil = pausedUntil.use
let pauseEnd: Promise<void> = Promise.resolve()

/** Pauses all requests for so many seconds; returns false if that is too long to wait for. */
export function pauseRequests(seconds: string | null): boolean {
  const ms = Math.max(1000, Number(seconds) * 1000)
  if (!(ms <= MAX_PAUSE_MS)) return false
  const end = Date.now() + ms
  if (end <= pausedUntil.get()) return true
  pausedUntil.set(end)
  pauseEnd = new Promise((resolve) => setTimeout(resolve, ms))
  void pauseEnd.then(() => pausedUntil.get() === end && pausedUntil.set(0))
  return true
}

/** Resolves when requests may be sent again. */
export async function waitForPause(signal?: AbortSignal): Promise<void> {
  while (pausedUntil.get()) await pauseEnd
  signal?.throwIfAborted()
}
