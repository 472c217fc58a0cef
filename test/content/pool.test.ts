import { afterEach, expect, test } from 'bun:test'
import { TimeBudget } from '../../src/content/pool/budget.ts'
import { Cache } from '../../src/content/pool/cache.ts'
import { textTasksFor } from '../../src/content/pool/index.ts'
import { Pool } from '../../src/content/pool/pool.ts'
import { Fault } from '../../src/kernel/fault.ts'

const SLOW = new URL('./slow-worker.ts', import.meta.url).href
const TEXTS = new URL('../../src/server/text-worker.ts', import.meta.url).href

let pool: Pool
const poolOf = (limits: ConstructorParameters<typeof Pool>[1] = {}, address = SLOW) => {
  pool = new Pool(address, limits)
  return pool
}
afterEach(() => pool?.stop())

const task = (name: string, ...args: (string | undefined)[]) => ({ name, args, field: 'text' })
const refusalOf = (call: Promise<unknown>) => call.then(() => undefined).catch((error) => error)

test('a task that exceeds its time limit is stopped, and the next one gets a new worker', async () => {
  const { run } = bound(poolOf({ threads: 1, taskMs: 300 }))
  const timedOut = await run('key:1', task('forever'))
  expect(timedOut).toMatchObject({ ms: 300, error: { code: 'invalid' } })
  expect((timedOut.error as Fault).details).toMatchObject({ field: 'text', code: 'too_long' })
  expect(await run('key:1', task('echo', 'a'))).toMatchObject({ value: 'a' })
})

test('a worker that exits fails only its own task', async () => {
  const { run } = bound(poolOf({ threads: 1 }))
  expect(await refusalOf(run('key:1', task('die')))).toBeInstanceOf(Error)
  expect(await run('key:1', task('echo', 'a'))).toMatchObject({ value: 'a' })
})

test('a credential that sends many texts leaves a worker free for other credentials', async () => {
  const { run } = bound(poolOf({ threads: 2 }))
  await run('key:2', task('echo', 'warm'))
  let finishedCount = 0
  const requests = Array.from({ length: 20 }, async () => {
    await run('key:1', task('sleep', '100'))
    finishedCount++
  })
  await run('key:2', task('echo', 'a'))
  expect(finishedCount).toBeLessThan(10)
  await Promise.all(requests)
})

test('with one worker, credentials take turns', async () => {
  const { run } = bound(poolOf({ threads: 1 }))
  const order: string[] = []
  const add = (actor: string, text: string) =>
    run(actor, task('echo', text)).then(() => order.push(text))
  await Promise.all([
    add('a', 'a1'),
    add('a', 'a2'),
    add('a', 'a3'),
    add('b', 'b1'),
    add('b', 'b2'),
  ])
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3', 'b2'])
})

test('a full queue refuses more tasks, first those of the credential that fills it', async () => {
  const { run } = bound(poolOf({ threads: 1, tasks: 2, queuedLength: 100 }))
  const running = [1, 2, 3].map(() => run('a', task('sleep', '50')))
  expect(await refusalOf(run('a', task('echo', 'x')))).toMatchObject({
    ...{ code: 'rate_limited', details: { retry_after: 1 } },
  })
  const long = run('b', task('echo', 'x'.repeat(90)))
  expect(await refusalOf(run('c', task('echo', 'x'.repeat(90))))).toMatchObject({
    ...{ code: 'unavailable', details: { retry_after: 2 } },
  })
  await Promise.all([...running, long])
})

test('a fault thrown in a worker reaches the caller with its code and field', async () => {
  const texts = textTasksFor(poolOf({}, TEXTS), 20)
  const refusal = await refusalOf(texts.run('a', task('clean', '<b>x</b>'.repeat(30_000), 'html')))
  expect(refusal).toBeInstanceOf(Fault)
  expect(refusal).toMatchObject({ code: 'invalid', details: { field: 'text' } })
})

test('a cached result is returned without a worker', async () => {
  const texts = textTasksFor(poolOf({}, TEXTS), 20)
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

const bound = (pool: Pool) => ({ run: pool.run.bind(pool) })
