import { expect, test } from 'bun:test'
import { RateLimiter, SharedLimiter } from '../../src/surfaces/rate-limits.ts'

const MINUTE_MS = 60_000

/** A limiter with a clock and a shared counter that the test controls. */
function sharedLimiter() {
  const state = { now: 0, calls: 0, isDown: false, warnings: 0, otherCount: 0 }
  const ownLimiter = new RateLimiter(() => state.now)
  let count = 0
  const shared = {
    async count() {
      state.calls++
      if (state.isDown) throw new Error('away')
      count++
      return { count: count + state.otherCount, endsInMs: 30_000 }
    },
  }
  const warn = () => void state.warnings++
  const limiter = new SharedLimiter(ownLimiter, shared, warn, () => state.now)
  return { state, take: (limit = 3) => limiter.take('key:1', limit) }
}

test('a limit counts one minute from the first request', () => {
  let now = 0
  const limiter = new RateLimiter(() => now)
  const take = () => limiter.take('key:1', 2)
  expect(take()).toEqual({ limit: 2, remaining: 1, reset: 60, exceeded: false })
  now = 30_500
  expect(take()).toEqual({ limit: 2, remaining: 0, reset: 30, exceeded: false })
  expect(take()).toEqual({ limit: 2, remaining: 0, reset: 30, exceeded: true })
  expect(limiter.take('key:2', 2).remaining).toBe(1)
  now = MINUTE_MS
  expect(take()).toEqual({ limit: 2, remaining: 1, reset: 60, exceeded: false })
})

test('the shared counter decides what remains and when the minute ends', async () => {
  const { state, take } = sharedLimiter()
  expect(await take()).toEqual({ limit: 3, remaining: 2, reset: 30, exceeded: false })
  state.otherCount = 2
  expect(await take()).toEqual({ limit: 3, remaining: 0, reset: 30, exceeded: true })
})

test('a used-up limit is refused without the shared counter until its minute ends', async () => {
  const { state, take } = sharedLimiter()
  for (const _ of [1, 2, 3, 4]) await take()
  expect(state.calls).toBe(4)
  state.now = 29_999
  expect(await take()).toEqual({ limit: 3, remaining: 0, reset: 1, exceeded: true })
  expect(state.calls).toBe(4)
  // The same session has a higher limit for requests from pages of this server.
  expect(await take(10)).toMatchObject({ remaining: 5, exceeded: false })
  state.now = 60_000
  await take()
  expect(state.calls).toBe(6)
})

test('without the shared counter, this process counts alone and warns once', async () => {
  const { state, take } = sharedLimiter()
  await take()
  state.isDown = true
  const results = await Promise.all([take(), take(), take()])
  expect(results.map(({ remaining, exceeded }) => [remaining, exceeded])).toEqual([
    [1, false],
    [0, false],
    [0, true],
  ])
  expect([state.warnings, state.calls]).toEqual([1, 4])
  state.now = 4999
  expect(await take()).toMatchObject({ exceeded: true })
  expect(state.calls).toBe(4)
  state.now = 30_000
  state.isDown = false
  expect(await take()).toMatchObject({ remaining: 1, exceeded: false })
})
