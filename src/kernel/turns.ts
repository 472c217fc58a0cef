/** Work on fewer characters or bytes than these does not delay anybody noticeably. */
const LARGE = 65_536

let last: Promise<void> = Promise.resolve()

/**
 * Waits before work on so many characters or bytes. Each large piece gets a turn of the event loop
 * of its own, and other requests are answered between two turns.
 */
export async function turnFor(size: number): Promise<void> {
  if (size < LARGE) return
  last = last.then(() => new Promise((next) => setImmediate(next)))
  await last
}
