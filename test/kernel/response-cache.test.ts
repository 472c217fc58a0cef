import { expect, test } from 'bun:test'
import type { Caller } from '../../src/kernel/caller.ts'
import { ResponseCache } from '../../src/kernel/response-cache.ts'

const caller = { credential: 'key 1' } as Caller
const noon = new Date('2026-11-20T12:00:00.000Z')
const rows = (count: number) => Array.from({ length: count }, (_, at) => at)

test('a response is cached for its caller until a write or until the next second begins', () => {
  const cache = new ResponseCache<{ data: unknown }>()
  const response = { data: rows(20) }
  cache.refresh(1, noon).set(caller, 'query', response)
  expect(cache.refresh(1, noon).get(caller, 'query')).toBe(response)
  expect(cache.get({ ...caller }, 'query')).toBeUndefined()
  expect(cache.refresh(2, noon).get(caller, 'query')).toBeUndefined()
  cache.set(caller, 'query', response)
  expect(cache.refresh(2, new Date(noon.getTime() + 1000)).get(caller, 'query')).toBeUndefined()
})

test('responses with many rows or a long text, and long queries, are not cached', () => {
  for (const [name, query, data] of [
    ['a list', 'query', rows(600)],
    ['a board', 'query', { title: 'Home', cards: rows(600) }],
    ['a page', 'query', { html: 'x'.repeat(1_000_000) }],
    ['a question', 'x'.repeat(1_000_000), { html: '' }],
  ] as const) {
    const cache = new ResponseCache<{ data: unknown }>()
    cache.refresh(1, noon).set(caller, query, { data })
    expect([name, cache.get(caller, query)]).toEqual([name, undefined])
  }
})

test('the cache has a total limit and keeps the newest response', () => {
  const cache = new ResponseCache<{ data: unknown }>()
  cache.refresh(1, noon)
  for (let at = 0; at < 100; at++) cache.set(caller, `query ${at}`, { data: rows(100) })
  const cached = rows(100).filter((at) => cache.get(caller, `query ${at}`))
  expect(cached.length).toBeLessThan(41)
  expect(cached).toContain(99)
})
