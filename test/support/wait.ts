import { expect } from 'bun:test'

/** Only a hang takes longer, however busy the machine is. */
export const LIMIT_MS = 120_000

/** Short at first, then longer, so that polling does not slow down a busy machine. */
const pause = (tries: number) => Bun.sleep(Math.min(10 + tries * 2, 200))

type Truthy<T> = Exclude<T, false | null | undefined | 0 | ''>

/** Retries until there is a result, and returns it. */
export async function waitUntil<T>(attempt: () => T | Promise<T>): Promise<Truthy<T>> {
  const end = performance.now() + LIMIT_MS
  for (let tries = 0; ; tries++) {
    const result = await attempt()
    if (result) return result as Truthy<T>
    if (performance.now() > end) throw new Error(`This never came: ${attempt}`)
    await pause(tries)
  }
}

/**
 * Waits until `read` returns the expected value; after the limit, fails with the last value. Errors
 * count as values, because what is read may not exist yet.
 */
export async function expectEventually(read: () => Promise<unknown>, expected: unknown) {
  const end = performance.now() + LIMIT_MS
  for (let tries = 0; ; tries++) {
    const value = await read().catch((error) => error)
    if (Bun.deepEquals(value, expected)) return
    if (performance.now() > end) {
      expect(value).toEqual(expected)
      throw new Error('Matchers such as expect.any() cannot be awaited')
    }
    await pause(tries)
  }
}
