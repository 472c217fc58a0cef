import { afterEach, expect, test } from 'bun:test'
import { fault } from '../../src/kernel/fault.ts'
import { Pool } from '../../src/kernel/pool/pool.ts'

const SLOW = new URL('./slow-worker.ts', import.meta.url).href

let pool: Pool
afterEach(() => pool?.stop())

/** Creates a pool of slow workers. Returns its `run`. */
function startPool(limits: ConstructorParameters<typeof Pool>[1]) {
  pool = new Pool(SLOW, limits)
  return { run: pool.run.bind(pool) }
}

const task = (name: string, text = '') => ({
  ...{ message: [name, text], length: text.length },
  tooSlow: (seconds: number) => fault.invalid('text', 'too_long', `More than ${seconds} s`),
})
const refusalOf = (call: Promise<unknown>) => call.then(() => undefined).catch((error) => error)

test('a task that exceeds its time limit is stopped, and the next one gets a new worker', async () => {
  const { run } = startPool({ threads: 1, taskMs: 300 })
  const timedOut = await run('key:1', task('forever'))
  expect(timedOut).toMatchObject({ ms: 300, error: { code: 'invalid' } })
  expect(timedOut.error).toMatchObject({ details: { field: 'text', code: 'too_long' } })
  expect(await run('key:1', task('echo', 'a'))).toMatchObject({ value: 'a' })
})

test('a worker that exits fails only its own task', async () => {
  const { run } = startPool({ threads: 1 })
  expect(await refusalOf(run('key:1', task('die')))).toBeInstanceOf(Error)
  expect(await run('key:1', task('echo', 'a'))).toMatchObject({ value: 'a' })
})

test('a credential with many tasks leaves a worker free for other credentials', async () => {
  const { run } = startPool({ threads: 2 })
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
  const { run } = startPool({ threads: 1 })
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

test('short tasks of a credential take one turn together, up to the length of a turn', async () => {
  const { run } = startPool({ threads: 1, turnLength: 10 })
  const order: string[] = []
  const add = (actor: string, text: string) =>
    run(actor, task('echo', text)).then(({ value }) => order.push(value as string))
  await Promise.all([
    add('a', 'a1'),
    ...['a2', 'a3', 'a4', 'a5', 'a6', 'a7 is long'].map((text) => add('a', text)),
    add('b', 'b1'),
  ])
  expect(order).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'a6', 'a7 is long'])
})

for (const [failure, name] of Object.entries({ 'ends its worker': 'die', 'never ends': 'forever' }))
  test(`a task that ${failure} fails alone, and those of its turn succeed`, async () => {
    const { run } = startPool({ threads: 1, taskMs: 400, turnLength: 100 })
    const first = run('a', task('echo', 'first'))
    const failing = refusalOf(run('a', task(name)).then(({ error }) => Promise.reject(error)))
    const others = ['x', 'y'].map((text) => run('a', task('echo', text)))
    expect((await Promise.all([first, ...others])).map(({ value }) => value)).toEqual([
      ...['first', 'x', 'y'],
    ])
    expect(await failing).toBeInstanceOf(Error)
  })

test('a full queue refuses more tasks, first those of the credential that fills it', async () => {
  const { run } = startPool({ threads: 1, tasks: 2, queuedLength: 100 })
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
