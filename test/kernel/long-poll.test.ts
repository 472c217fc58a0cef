import { expect, test } from 'bun:test'
import { longPoll } from '../../src/kernel/long-poll.ts'

/** A fake poll that records its queries and subscriptions. */
function createFakePoll() {
  const listeners = new Set<() => void>()
  const queryTimes: number[] = []
  const startedAt = performance.now()
  let isAvailable = false
  const options = {
    onCommit(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async query() {
      queryTimes.push(performance.now() - startedAt)
      return isAvailable
    },
    hasResult: (result: boolean) => result,
  }
  const commit = () => {
    for (const listener of listeners) listener()
  }
  return {
    ...{ options, queryTimes, listeners, commit },
    makeAvailable() {
      isAvailable = true
      commit()
    },
  }
}

test('a poll of 0 seconds queries once and returns without a result', async () => {
  const { options, queryTimes } = createFakePoll()
  expect(await longPoll({ ...options, seconds: 0 })).toBe(false)
  expect(queryTimes).toHaveLength(1)
})

test('a waiting poll returns soon after a commit and then unsubscribes', async () => {
  const { options, makeAvailable, listeners } = createFakePoll()
  const waiting = longPoll({ ...options, seconds: 10 })
  await Bun.sleep(250)
  const startedAt = performance.now()
  makeAvailable()
  expect(await waiting).toBe(true)
  expect(performance.now() - startedAt).toBeLessThan(5000)
  expect(listeners.size).toBe(0)
})

test('many commits during a poll cause few queries', async () => {
  const { options, queryTimes, commit } = createFakePoll()
  const waiting = longPoll({ ...options, seconds: 1 })
  const timer = setInterval(commit, 5)
  expect(await waiting).toBe(false)
  clearInterval(timer)
  expect(queryTimes.length).toBeGreaterThan(3)
  expect(queryTimes.length).toBeLessThan(9)
})

test('a result without a commit notification is found before the poll ends', async () => {
  const { options, makeAvailable } = createFakePoll()
  const waiting = longPoll({ ...options, onCommit: () => () => {}, seconds: 10 })
  await Bun.sleep(100)
  makeAvailable()
  const startedAt = performance.now()
  expect(await waiting).toBe(true)
  expect(performance.now() - startedAt).toBeLessThan(5000)
})

test('an aborted poll returns the last result at once, also if aborted before it starts', async () => {
  const { options, listeners } = createFakePoll()
  const controller = new AbortController()
  const waiting = longPoll({ ...options, seconds: 10, signal: controller.signal })
  await Bun.sleep(50)
  const startedAt = performance.now()
  controller.abort()
  expect(await waiting).toBe(false)
  expect(await longPoll({ ...options, seconds: 10, signal: controller.signal })).toBe(false)
  expect(performance.now() - startedAt).toBeLessThan(5000)
  expect(listeners.size).toBe(0)
})
