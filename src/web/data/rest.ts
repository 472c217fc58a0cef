import { cell } from './cell.ts'

/** Longer than any window of the server's own count: such a limit is the operation's, and is told. */
const MOST_MS = 60_000

/** Until when the server asks for a pause, in milliseconds; 0 where it does not. */
const until = cell(0)
export const useRest = until.use
let over: Promise<void> = Promise.resolve()

/** Waits for so many seconds with whatever is asked next; false where that is not to be waited for. */
export function rest(seconds: string | null): boolean {
  const ms = Math.max(1000, Number(seconds) * 1000)
  if (!(ms <= MOST_MS)) return false
  const end = Date.now() + ms
  if (end <= until.get()) return true
  until.put(end)
  over = new Promise((go) => setTimeout(go, ms))
  void over.then(() => until.get() === end && until.put(0))
  return true
}

/** Once the server may be asked. */
export async function rested(signal?: AbortSignal): Promise<void> {
  while (until.get()) await over
  signal?.throwIfAborted()
}
