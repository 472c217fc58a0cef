import { expect, test } from 'bun:test'
import type { Caller } from '../../src/kernel/caller.ts'
import { ResponseCache } from '../../src/kernel/response-cache.ts'

const caller = { credential: 'key 1' } as Caller
const noon = new Date('2026-11-20T12:00:00.000Z')
const rows = (many: number) => Array.from({ length: many }, (_, at) => at)

test('a response is cached for its caller until a write or until the next second begins', () => {
  const memo = new ResponseCache<{ data: unknown }>()
  const answer = { data: rows(20) }
  memo.refresh(1, noon).set(caller, 'ask', answer)
  expect(memo.refresh(1, noon).get(caller, 'ask')).toBe(answer)
  expect(memo.get({ ...caller }, 'ask')).toBeUndefined()
  expect(memo.refresh(2, noon).get(caller, 'ask')).toBeUndefined()
  memo.set(caller, 'ask', answer)
  expect(memo.refresh(2, new Date(noon.getTime() + 1000)).get(caller, 'ask')).toBeUndefined()
})

test('responses with many rows or a long text, and long queries, are not cached', () => {
  for (const [name, ask, data] of [
    ['a list', 'ask', rows(600)],
    ['a board', 'ask', { title: 'Home', cards: rows(600) }],
    ['a page', 'ask', { html: 'x'.repeat(1_000_000) }],
    ['a question', 'x'.repeat(1_000_000), { html: '' }],
  ] as const) {
    const memo = new ResponseCache<{ data: unknown }>()
    memo.refresh(1, noon).set(caller, ask, { data })
    expect([name, memo.get(caller, ask)]).toEqual([name, undefined])
  }
})

test('the cache has a total limit and keeps the newest response', () => {
  const memo = new ResponseCache<{ data: unknown }>()
  memo.refresh(1, noon)
  for (let at = 0; at < 100; at++) memo.set(caller, `ask ${at}`, { data: rows(100) })
  const kept = rows(100).filter((at) => memo.get(caller, `ask ${at}`))
  expect(kept.length).toBeLessThan(41)
  expect(kept).toContain(99)
})
