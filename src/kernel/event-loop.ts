/** Work on fewer characters or bytes than this does not delay other requests noticeably. */
const LARGE = 65_536

let lastTurn: Promise<void> = Promise.resolve()

/**
 * Yields to the event loop before synchronous work on `size` characters or bytes. Each large piece
 * of work gets its own turn of the event loop, so that other requests are answered in between.
 */
export async function yieldForLargeWork(size: number): Promise<void> {
  if (size < LARGE) return
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)))
  await lastTurn
}
