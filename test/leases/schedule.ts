import type { Call, History, LeaseRequest, LeaseResponse } from './history.ts'
import { PERSON } from './model.ts'

/** What the calls are made to: a server, or a simulation of one. */
export interface LeaseServer {
  tasks: readonly { task: string; value: string }[]
  agents: readonly string[]
  now(): number
  /** Absent if the clock is real. */
  advance?(ms: number): void
  /** Lets other workers run; each implementation decides for how long. */
  yieldToOthers(): Promise<void>
  /** Returns the task as well, which `next` knows only then; undefined if there was none. */
  perform(
    request: LeaseRequest,
    task: string,
  ): Promise<{ task: string | undefined; response: LeaseResponse }>
}

/** Pseudo-random numbers, reproducible from the seed (mulberry32). */
export function createRandom(seed: number) {
  let a = seed >>> 0
  const nextFloat = () => {
    a = (a + 0x6d2b79f5) >>> 0
    let t = a
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    below: (limit: number) => Math.floor(nextFloat() * limit),
    pick: <T>(items: readonly T[]): T => items[Math.floor(nextFloat() * items.length)]!,
    /** True in that percentage of calls. */
    isLikely: (percent: number) => nextFloat() * 100 < percent,
  }
}

export type Random = ReturnType<typeof createRandom>

/** Steps long enough that leases of 10 to 20 seconds expire during calls. */
const STEPS_MS = [1, 1000, 4000, 9999, 10_000, 11_000, 20_000]
const TERMS_MS = [10_000, 10_000, 15_000, 20_000]

/** Runs workers, a person and the clock concurrently, and returns the history of each task. */
export async function runSchedule(
  server: LeaseServer,
  seed: number,
  calls = 6,
): Promise<History[]> {
  const recorder = new CallRecorder(server)
  const workers = server.agents.flatMap((actor, at) => [
    { actor, owner: null },
    ...(at === 0 ? [{ actor, owner: 'second' }] : []),
  ])
  let activeWorkers = workers.length + 1
  const finishWorker = () => void activeWorkers--
  const moveClock = async () => {
    const random = createRandom(seed)
    while (activeWorkers > 0) {
      const targetCount = recorder.completedCalls + 1 + random.below(6)
      while (activeWorkers > 0 && recorder.completedCalls < targetCount)
        await server.yieldToOthers()
      if (activeWorkers > 0) recorder.advance(random.pick(STEPS_MS))
    }
  }
  const knownLeases = new LeaseIds()
  await Promise.all([
    moveClock(),
    ...workers.map((worker, at) =>
      runWorker(recorder, worker, createRandom(seed * 31 + at + 1), calls, knownLeases).finally(
        finishWorker,
      ),
    ),
    runPerson(recorder, createRandom(seed * 31 + 30), calls).finally(finishWorker),
  ])
  return recorder.histories()
}

type WorkerIdentity = { actor: string; owner: string | null }

/** Lease ids by task, because a lease is unknown on any other task. */
class LeaseIds {
  private readonly byTask = new Map<string, string[]>()

  of = (task: string): readonly string[] => this.byTask.get(task) ?? []
  add(task: string, lease: string) {
    this.byTask.set(task, [...this.of(task), lease])
  }
}

async function runWorker(
  recorder: CallRecorder,
  worker: WorkerIdentity,
  random: Random,
  calls: number,
  knownLeases: LeaseIds,
) {
  const ownLeases = new LeaseIds()
  for (let at = 0; at < calls; at++) {
    await recorder.pause(random)
    const { task } = random.pick(recorder.server.tasks)
    const request = chooseRequest(
      worker,
      random,
      ownLeases.of(task),
      knownLeases.of(task),
      recorder.nextText(),
    )
    const { ticketNumber, response } = await recorder.call(request, task)
    if (response.outcome !== 'leased' || ticketNumber === undefined) continue
    ownLeases.add(ticketNumber, response.lease)
    knownLeases.add(ticketNumber, response.lease)
  }
}

type Ids = readonly string[]

function chooseRequest(
  { actor, owner }: WorkerIdentity,
  random: Random,
  ownLeases: Ids,
  knownLeases: Ids,
  value: string,
): LeaseRequest {
  const ttlField = random.isLikely(70) ? { ttl: random.pick(TERMS_MS) } : {}
  // Mostly the newest own lease, sometimes an old one or one of another worker.
  const lease = random.isLikely(70)
    ? ownLeases.at(-1)
    : random.isLikely(60)
      ? random.pick(ownLeases)
      : random.pick(knownLeases)
  const leaseField = lease !== undefined && random.isLikely(50) ? { lease } : {}
  const at = random.below(100)
  if (lease === undefined && at < 44)
    return { kind: at < 22 ? 'claim' : 'next', actor, owner, ttl: 10_000 }
  if (at < 20) return { kind: 'claim', actor, owner, ...ttlField }
  if (at < 32) return { kind: 'next', actor, owner, ...ttlField }
  if (lease !== undefined && at < 48) return { kind: 'heartbeat', actor, lease, ...ttlField }
  if (lease !== undefined && at < 58) return { kind: 'release', actor, lease }
  if (at < 80) return { kind: 'write', actor, value, ...leaseField }
  if (at < 83) return { kind: 'finish', actor, ...leaseField }
  if (at < 86) return { kind: 'hand over', actor, ...leaseField }
  if (at < 89) return { kind: 'note', actor }
  return at < 95 ? { kind: 'read' } : { kind: 'look' }
}

/** A person reads, writes, completes and reopens tasks without a lease. */
async function runPerson(recorder: CallRecorder, random: Random, calls: number) {
  for (let at = 0; at < calls; at++) {
    await recorder.pause(random)
    const { task } = random.pick(recorder.server.tasks)
    const choice = random.below(10)
    if (choice < 3) await recorder.call({ kind: 'reopen' }, task)
    else if (choice < 5)
      await recorder.call({ kind: 'write', actor: PERSON, value: recorder.nextText() }, task)
    else if (choice < 6) await recorder.call({ kind: 'finish', actor: PERSON }, task)
    else await recorder.call({ kind: choice < 8 ? 'look' : 'read' }, task)
  }
}

class CallRecorder {
  private readonly calls = new Map<string, Call[]>()
  private readonly clockReadings: number[] = []
  /** How many calls have received a response. */
  completedCalls = 0
  private sequence = 0
  private textCount = 0

  constructor(readonly server: LeaseServer) {
    for (const { task } of server.tasks) this.calls.set(task, [])
  }

  nextText = () => `text ${++this.textCount}`

  advance(ms: number) {
    this.server.advance?.(ms)
    this.clockReadings.push(this.server.now())
  }

  async pause(random: Random) {
    for (let turns = random.below(4); turns; turns--) await this.server.yieldToOthers()
  }

  async call(request: LeaseRequest, ticketNumber: string) {
    const start = this.sequence++
    const firstReading = this.clockReadings.push(this.server.now()) - 1
    const { task, response } = await this.server.perform(request, ticketNumber)
    this.completedCalls++
    this.clockReadings.push(this.server.now())
    const times = [
      ...new Set(
        this.clockReadings.slice(
          request.kind === 'look' ? this.firstReadingSince(firstReading) : firstReading,
        ),
      ),
    ]
    const isRealTime = this.server.advance === undefined
    const call = { request, response, start, end: this.sequence++, times, isRealTime }
    // A `next` that returns nothing concerns every task.
    for (const one of task === undefined ? this.calls.keys() : [task])
      this.calls.get(one)!.push(call)
    return { ticketNumber: task, response }
  }

  /** Without a write, a look may return the response of any earlier moment in the same second. */
  private firstReadingSince(firstReading: number): number {
    const second = Math.floor(this.clockReadings[firstReading]! / 1000)
    return this.clockReadings.findIndex((time) => Math.floor(time / 1000) === second)
  }

  histories(): History[] {
    return this.server.tasks.map(({ task, value }) => ({
      ...{ task, value },
      calls: this.calls.get(task)!,
    }))
  }
}
