import { afterEach, expect, test } from 'bun:test'
import { TimeBudget } from '../../src/content/pool/budget.ts'
import { Cache } from '../../src/content/pool/cache.ts'
import { textTasksFor } from '../../src/content/pool/index.ts'
import { Fault } from '../../src/kernel/fault.ts'
import { Pool } from '../../src/kernel/pool/pool.ts'

const TEXTS = new URL('../../src/server/text-worker.ts', import.meta.url).href

let pool: Pool
const startTexts = () => {
  pool = new Pool(TEXTS)
  return textTasksFor(pool, 20)
}
afterEach(() => pool?.stop())

const task = (name: string, ...args: (string | undefined)[]) => ({ name, args, field: 'text' })
const refusalOf = (call: Promise<unknown>) => call.then(() => undefined).catch((error) => error)

test('a fault thrown in a worker reaches the caller with its code and field', async () => {
  const texts = startTexts()
  const refusal = await refusalOf(texts.run('a', task('clean', '<b>x</b>'.repeat(30_000), 'html')))
  expect(refusal).toBeInstanceOf(Fault)
  expect(refusal).toMatchObject({ code: 'invalid', details: { field: 'text' } })
})

test('a cached result is returned without a worker', async () => {
  const texts = startTexts()
  const request = task('html', `*once* ${crypto.randomUUID()}`, 'markdown')
  expect(texts.cachedResult(request)).toBeUndefined()
  const html = await texts.run('a', request)
  expect(html).toContain('<em>once</em>')
  expect(texts.cachedResult(request)).toBe(html)
  pool.stop()
  expect(await texts.run('a', request)).toBe(html)
})

test('a spent time budget refuses only that credential until its minute ends; 0 is unlimited', () => {
  let now = 0
  const budget = new TimeBudget(2, () => now)
  budget.charge('a', 1999)
  budget.check('a')
  budget.charge('a', 1)
  now = 18_500
  expect(() => budget.check('a')).toThrow(Fault)
  try {
    budget.check('a')
  } catch (error) {
    expect((error as Fault).code).toBe('rate_limited')
    expect((error as Fault).details).toEqual({ retry_after: 42, budget: 'text_seconds' })
  }
  budget.check('b')
  now = 60_000
  budget.check('a')
  const unlimited = new TimeBudget(0, () => now)
  unlimited.charge('a', 1e9)
  unlimited.check('a')
})

test('the cache evicts the least recently used entries and does not keep an oversized one', () => {
  const cache = new Cache(100)
  cache.set('a', 'x'.repeat(30))
  cache.set('b', 'x'.repeat(30))
  expect(cache.get('a')).toBe('x'.repeat(30))
  cache.set('c', 'x'.repeat(30))
  expect([cache.get('a'), cache.get('b'), cache.get('c')].map(Boolean)).toEqual([true, false, true])
  cache.set('d', 'x'.repeat(90))
  expect(cache.get('d')).toBeUndefined()
  for (let n = 0; n < 100; n++) cache.set(`n${n}`, n)
  expect(cache.get('n0')).toBeUndefined()
})
