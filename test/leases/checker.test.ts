import { expect, test } from 'bun:test'
import type { Call, LeaseRequest, LeaseResponse } from './history.ts'
import { linearizationFailure } from './linearize.ts'
import { runSchedule } from './schedule.ts'
import { FLAWS, SimulatedServer } from './simulated-server.ts'

const SCHEDULES = 1000

async function failureOfSchedule(seed: number, flaw?: (typeof FLAWS)[number]) {
  const [history] = await runSchedule(new SimulatedServer(flaw), seed, 8)
  return linearizationFailure(history!)
}

const anna = { actor: 'anna', owner: null }
const bert = { actor: 'bert', owner: null }
const claim = (worker: typeof anna): LeaseRequest => ({ kind: 'claim', ...worker, ttl: 10_000 })
const leasedResponse = (lease: string, fence: number, expires: number): LeaseResponse => ({
  ...{ outcome: 'leased', lease, fence, expires },
})

/** A call between two moments, at clock time 0 unless other times are given. */
const call = (
  [start, end]: [number, number],
  request: LeaseRequest,
  response: LeaseResponse,
  ...times: number[]
): Call => ({ request, response, start, end, times: times.length ? times : [0], isRealTime: false })

const failureOfCalls = (...calls: Call[]) =>
  linearizationFailure({ task: 'T-1', value: 'old', calls })

test('overlapping calls can take effect in any order, and successive calls cannot', () => {
  const first = leasedResponse('a', 1, 10_000)
  const held: LeaseResponse = { outcome: 'held', expires: 10_000 }
  expect(
    failureOfCalls(call([0, 3], claim(bert), held), call([1, 2], claim(anna), first)),
  ).toBeUndefined()
  expect(
    failureOfCalls(call([0, 1], claim(bert), held), call([2, 3], claim(anna), first)),
  ).toContain('bert')
})

test('a call during which the clock moves may use the time before or after', () => {
  const before = call([0, 1], claim(anna), leasedResponse('a', 1, 10_000))
  const failureAt = (...times: number[]) =>
    failureOfCalls(before, call([2, 3], claim(bert), leasedResponse('b', 2, 20_000), ...times))
  expect(failureAt(9_999, 10_000)).toBeUndefined()
  expect(failureAt(9_999)).toContain('no order')
})

test('two holders at once are detected', () => {
  const one = call([0, 2], claim(anna), leasedResponse('a', 1, 10_000))
  expect(failureOfCalls(one, call([1, 3], claim(bert), leasedResponse('b', 2, 10_000)))).toContain(
    'no order',
  )
})

test('a heartbeat that revives an expired lease is detected', () => {
  const heartbeat: LeaseRequest = { kind: 'heartbeat', actor: 'anna', lease: 'a' }
  const one = call([0, 1], claim(anna), leasedResponse('a', 1, 10_000))
  const failureAt = (at: number) =>
    failureOfCalls(one, call([2, 3], heartbeat, leasedResponse('a', 1, at + 10_000), at))
  expect(failureAt(9_999)).toBeUndefined()
  expect(failureAt(10_000)).toContain('no order')
})

test('a fencing token that does not grow or is issued twice is detected', () => {
  const one = call([0, 1], claim(anna), leasedResponse('a', 2, 10_000))
  const failureWithToken = (fence: number) =>
    failureOfCalls(one, call([2, 3], claim(bert), leasedResponse('b', fence, 20_000), 10_000))
  expect(failureWithToken(3)).toBeUndefined()
  expect(failureWithToken(1)).toContain('no order')
  expect(failureWithToken(2)).toContain('two leases have the fencing token 2')
})

test('a write that takes effect after the task was leased to another agent is detected', () => {
  const write: LeaseRequest = { kind: 'write', actor: 'anna', value: 'new' }
  const read = (value: string): LeaseResponse => ({ outcome: 'value', value, done: false })
  const failureWithRead = (readValue: string) =>
    failureOfCalls(
      call([0, 1], claim(anna), leasedResponse('a', 1, 10_000)),
      call([2, 9], write, { outcome: 'accepted' }, 0, 10_000),
      call([3, 4], claim(bert), leasedResponse('b', 2, 20_000), 10_000),
      call([5, 6], { kind: 'read' }, read(readValue), 10_000),
      call([10, 11], { kind: 'read' }, read('new'), 10_000),
    )
  expect(failureWithRead('new')).toBeUndefined()
  expect(failureWithRead('old')).toContain('no order')
})

test('a server that keeps the rules is never reported', async () => {
  for (let seed = 0; seed < SCHEDULES; seed++) expect(await failureOfSchedule(seed)).toBeUndefined()
})

for (const flaw of FLAWS)
  test(`the fault is detected if ${flaw}`, async () => {
    let seed = 0
    while (seed < SCHEDULES && !(await failureOfSchedule(seed, flaw))) seed++
    expect(seed).toBeLessThan(SCHEDULES)
  })
