import { expect, test } from 'bun:test'
import type { Caller } from '../../src/kernel/caller.ts'
import { Memo } from '../../src/kernel/memo.ts'

const caller = { credential: 'key 1' } as Caller
const noon = new Date('2026-11-20T12:00:00.000Z')
const rows = (many: number) => Array.from({ length: many }, (_, at) => at)

test('an answer is given again until something is written or a second begins', () => {
  const memo = new Memo<{ data: unknown }>()
  const answer = { data: rows(20) }
  memo.at(1, noon).keep(caller, 'ask', answer)
  expect(memo.at(1, noon).find(caller, 'ask')).toBe(answer)
  expect(memo.find({ ...caller }, 'ask')).toBeUndefined()
  expect(memo.at(2, noon).find(caller, 'ask')).toBeUndefined()
  memo.keep(caller, 'ask', answer)
  expect(memo.at(2, new Date(noon.getTime() + 1000)).find(caller, 'ask')).toBeUndefined()
})

test('what is large is not kept: neither rows within an answer, nor long texts asked or told', () => {
  for (const [name, ask, data] of [
    ['a list', 'ask', rows(600)],
    ['a board', 'ask', { title: 'Home', cards: rows(600) }],
    ['a page', 'ask', { html: 'x'.repeat(1_000_000) }],
    ['a question', 'x'.repeat(1_000_000), { html: '' }],
  ] as const) {
    const memo = new Memo<{ data: unknown }>()
    memo.at(1, noon).keep(caller, ask, { data })
    expect([name, memo.find(caller, ask)]).toEqual([name, undefined])
  }
})

test('all together is bounded', () => {
  const memo = new Memo<{ data: unknown }>()
  memo.at(1, noon)
  for (let at = 0; at < 100; at++) memo.keep(caller, `ask ${at}`, { data: rows(100) })
  const kept = rows(100).filter((at) => memo.find(caller, `ask ${at}`))
  expect(kept.length).toBeLessThan(41)
  expect(kept).toContain(99)
})
