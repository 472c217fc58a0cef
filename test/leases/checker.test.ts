import { expect, test } from 'bun:test'
import type { Answered, Asked, Call } from './history.ts'
import { unexplained } from './linearize.ts'
import { FAULTS, Pretended } from './pretend.ts'
import { played } from './schedule.ts'

const SCHEDULES = 1000

async function found(seed: number, flaw?: (typeof FAULTS)[number]) {
  const [history] = await played(new Pretended(flaw), seed, 8)
  return unexplained(history!)
}

const anna = { actor: 'anna', owner: null }
const bert = { actor: 'bert', owner: null }
const claim = (worker: typeof anna): Asked => ({ kind: 'claim', ...worker, ttl: 10_000 })
const leased = (lease: string, fence: number, expires: number): Answered => ({
  ...{ says: 'leased', lease, fence, expires },
})

/** A call between two moments, at clock time 0 unless other times are given. */
const call = (
  [began, ended]: [number, number],
  asked: Asked,
  answered: Answered,
  ...times: number[]
): Call => ({ asked, answered, began, ended, times: times.length ? times : [0], flows: false })

const judged = (...calls: Call[]) => unexplained({ task: 'T-1', value: 'old', calls })

test('overlapping calls can take effect in any order, and successive calls cannot', () => {
  const first = leased('a', 1, 10_000)
  const held: Answered = { says: 'held', expires: 10_000 }
  expect(judged(call([0, 3], claim(bert), held), call([1, 2], claim(anna), first))).toBeUndefined()
  expect(judged(call([0, 1], claim(bert), held), call([2, 3], claim(anna), first))).toContain(
    'bert',
  )
})

test('a call during which the clock moves may use the time before or after', () => {
  const before = call([0, 1], claim(anna), leased('a', 1, 10_000))
  const late = (...times: number[]) =>
    judged(before, call([2, 3], claim(bert), leased('b', 2, 20_000), ...times))
  expect(late(9_999, 10_000)).toBeUndefined()
  expect(late(9_999)).toContain('no order')
})

test('two holders at once are detected', () => {
  const one = call([0, 2], claim(anna), leased('a', 1, 10_000))
  expect(judged(one, call([1, 3], claim(bert), leased('b', 2, 10_000)))).toContain('no order')
})

test('a heartbeat that revives an expired lease is detected', () => {
  const beat: Asked = { kind: 'heartbeat', actor: 'anna', lease: 'a' }
  const one = call([0, 1], claim(anna), leased('a', 1, 10_000))
  const back = (at: number) => judged(one, call([2, 3], beat, leased('a', 1, at + 10_000), at))
  expect(back(9_999)).toBeUndefined()
  expect(back(10_000)).toContain('no order')
})

test('a fencing token that does not grow or is issued twice is detected', () => {
  const one = call([0, 1], claim(anna), leased('a', 2, 10_000))
  const then = (fence: number) =>
    judged(one, call([2, 3], claim(bert), leased('b', fence, 20_000), 10_000))
  expect(then(3)).toBeUndefined()
  expect(then(1)).toContain('no order')
  expect(then(2)).toContain('two leases have the fencing token 2')
})

test('a write that takes effect after the task was leased to another agent is detected', () => {
  const write: Asked = { kind: 'write', actor: 'anna', value: 'new' }
  const read = (value: string): Answered => ({ says: 'value', value, done: false })
  const calls = (seen: string) =>
    judged(
      call([0, 1], claim(anna), leased('a', 1, 10_000)),
      call([2, 9], write, { says: 'accepted' }, 0, 10_000),
      call([3, 4], claim(bert), leased('b', 2, 20_000), 10_000),
      call([5, 6], { kind: 'read' }, read(seen), 10_000),
      call([10, 11], { kind: 'read' }, read('new'), 10_000),
    )
  expect(calls('new')).toBeUndefined()
  expect(calls('old')).toContain('no order')
})

test('a server that keeps the rules is never reported', async () => {
  for (let seed = 0; seed < SCHEDULES; seed++) expect(await found(seed)).toBeUndefined()
})

for (const flaw of FAULTS)
  test(`the fault is detected if ${flaw}`, async () => {
    let seed = 0
    while (seed < SCHEDULES && !(await found(seed, flaw))) seed++
    expect(seed).toBeLessThan(SCHEDULES)
  })
