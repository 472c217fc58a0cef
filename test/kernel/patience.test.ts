import { expect, test } from 'bun:test'
import { longPoll } from '../../src/kernel/long-poll.ts'

/** A fake result to poll for, which records its queries and subscriptions. */
function made() {
  const heard = new Set<() => void>()
  const asked: number[] = []
  const began = performance.now()
  let there = false
  const parts = {
    onCommit(one: () => void) {
      heard.add(one)
      return () => heard.delete(one)
    },
    async query() {
      asked.push(performance.now() - began)
      return there
    },
    hasResult: (answer: boolean) => answer,
  }
  const commit = () => {
    for (const one of heard) one()
  }
  return {
    ...{ parts, asked, heard, commit },
    appear() {
      there = true
      commit()
    },
  }
}

test('a poll of 0 seconds queries once and returns without a result', async () => {
  const { parts, asked } = made()
  expect(await longPoll({ ...parts, seconds: 0 })).toBe(false)
  expect(asked).toHaveLength(1)
})

test('a waiting poll returns soon after a commit and then unsubscribes', async () => {
  const { parts, appear, heard } = made()
  const waiting = longPoll({ ...parts, seconds: 10 })
  await Bun.sleep(250)
  const began = performance.now()
  appear()
  expect(await waiting).toBe(true)
  expect(performance.now() - began).toBeLessThan(200)
  expect(heard.size).toBe(0)
})

test('many commits during a poll cause few queries', async () => {
  const { parts, asked, commit } = made()
  const waiting = longPoll({ ...parts, seconds: 1 })
  const timer = setInterval(commit, 5)
  expect(await waiting).toBe(false)
  clearInterval(timer)
  expect(asked.length).toBeGreaterThan(3)
  expect(asked.length).toBeLessThan(9)
})

test('a result without a commit notification is found within 1.5 seconds', async () => {
  const { parts, appear } = made()
  const waiting = longPoll({ ...parts, onCommit: () => () => {}, seconds: 10 })
  await Bun.sleep(100)
  appear()
  const began = performance.now()
  expect(await waiting).toBe(true)
  expect(performance.now() - began).toBeLessThan(1500)
})

test('an aborted poll returns the last result at once, also if aborted before it starts', async () => {
  const { parts, heard } = made()
  const cut = new AbortController()
  const waiting = longPoll({ ...parts, seconds: 10, signal: cut.signal })
  await Bun.sleep(50)
  const began = performance.now()
  cut.abort()
  expect(await waiting).toBe(false)
  expect(await longPoll({ ...parts, seconds: 10, signal: cut.signal })).toBe(false)
  expect(performance.now() - began).toBeLessThan(100)
  expect(heard.size).toBe(0)
})
