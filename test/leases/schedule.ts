import type { Answered, Asked, Call, History } from './history.ts'
import { PERSON } from './model.ts'

/** What the calls are made to: a server, or a simulation of one. */
export interface Desk {
  tasks: readonly { task: string; value: string }[]
  agents: readonly string[]
  now(): number
  /** Absent if the clock is real. */
  pass?(ms: number): void
  /** Lets other workers run; each implementation decides for how long. */
  turn(): Promise<void>
  /** Returns the task as well, which `next` knows only then; undefined if there was none. */
  perform(asked: Asked, task: string): Promise<{ task: string | undefined; answered: Answered }>
}

/** Pseudo-random numbers, reproducible from the seed (mulberry32). */
export function dice(seed: number) {
  let a = seed >>> 0
  const roll = () => {
    a = (a + 0x6d2b79f5) >>> 0
    let t = a
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    upTo: (many: number) => Math.floor(roll() * many),
    of: <T>(all: readonly T[]): T => all[Math.floor(roll() * all.length)]!,
    /** True in that percentage of calls. */
    often: (percent: number) => roll() * 100 < percent,
  }
}

export type Dice = ReturnType<typeof dice>

/** Steps long enough that leases of 10 to 20 seconds expire during calls. */
const STEPS_MS = [1, 1000, 4000, 9999, 10_000, 11_000, 20_000]
const TERMS_MS = [10_000, 10_000, 15_000, 20_000]

/** Runs workers, a person and the clock concurrently, and returns the history of each task. */
export async function played(desk: Desk, seed: number, calls = 6): Promise<History[]> {
  const record = new Record(desk)
  const workers = desk.agents.flatMap((actor, at) => [
    { actor, owner: null },
    ...(at === 0 ? [{ actor, owner: 'second' }] : []),
  ])
  let left = workers.length + 1
  const done = () => void left--
  const clock = async () => {
    const die = dice(seed)
    while (left > 0) {
      const until = record.ended + 1 + die.upTo(6)
      while (left > 0 && record.ended < until) await desk.turn()
      if (left > 0) record.pass(die.of(STEPS_MS))
    }
  }
  const known = new Leases()
  await Promise.all([
    clock(),
    ...workers.map((worker, at) =>
      work(record, worker, dice(seed * 31 + at + 1), calls, known).finally(done),
    ),
    interfere(record, dice(seed * 31 + 30), calls).finally(done),
  ])
  return record.histories()
}

type Hand = { actor: string; owner: string | null }

/** Lease ids by task, because a lease is unknown on any other task. */
class Leases {
  private readonly byTask = new Map<string, string[]>()

  of = (task: string): readonly string[] => this.byTask.get(task) ?? []
  add(task: string, lease: string) {
    this.byTask.set(task, [...this.of(task), lease])
  }
}

async function work(record: Record, hand: Hand, die: Dice, calls: number, known: Leases) {
  const own = new Leases()
  for (let at = 0; at < calls; at++) {
    await record.pause(die)
    const { task } = die.of(record.desk.tasks)
    const asked = chosen(hand, die, own.of(task), known.of(task), record.word())
    const { about, answered } = await record.call(asked, task)
    if (answered.says !== 'leased' || about === undefined) continue
    own.add(about, answered.lease)
    known.add(about, answered.lease)
  }
}

type Ids = readonly string[]

function chosen({ actor, owner }: Hand, die: Dice, own: Ids, known: Ids, value: string): Asked {
  const term = die.often(70) ? { ttl: die.of(TERMS_MS) } : {}
  // Mostly the newest own lease, sometimes an old one or one of another worker.
  const lease = die.often(70) ? own.at(-1) : die.often(60) ? die.of(own) : die.of(known)
  const named = lease !== undefined && die.often(50) ? { lease } : {}
  const at = die.upTo(100)
  if (lease === undefined && at < 44)
    return { kind: at < 22 ? 'claim' : 'next', actor, owner, ttl: 10_000 }
  if (at < 20) return { kind: 'claim', actor, owner, ...term }
  if (at < 32) return { kind: 'next', actor, owner, ...term }
  if (lease !== undefined && at < 48) return { kind: 'heartbeat', actor, lease, ...term }
  if (lease !== undefined && at < 58) return { kind: 'release', actor, lease }
  if (at < 80) return { kind: 'write', actor, value, ...named }
  if (at < 85) return { kind: 'finish', actor, ...named }
  if (at < 89) return { kind: 'note', actor }
  return at < 95 ? { kind: 'read' } : { kind: 'look' }
}

/** A person reads, writes, completes and reopens tasks without a lease. */
async function interfere(record: Record, die: Dice, calls: number) {
  for (let at = 0; at < calls; at++) {
    await record.pause(die)
    const { task } = die.of(record.desk.tasks)
    const what = die.upTo(10)
    if (what < 3) await record.call({ kind: 'reopen' }, task)
    else if (what < 5)
      await record.call({ kind: 'write', actor: PERSON, value: record.word() }, task)
    else if (what < 6) await record.call({ kind: 'finish', actor: PERSON }, task)
    else await record.call({ kind: what < 8 ? 'look' : 'read' }, task)
  }
}

class Record {
  private readonly calls = new Map<string, Call[]>()
  private readonly shown: number[] = []
  /** How many calls were answered. */
  ended = 0
  private tick = 0
  private words = 0

  constructor(readonly desk: Desk) {
    for (const { task } of desk.tasks) this.calls.set(task, [])
  }

  word = () => `text ${++this.words}`

  pass(ms: number) {
    this.desk.pass?.(ms)
    this.shown.push(this.desk.now())
  }

  async pause(die: Dice) {
    for (let turns = die.upTo(4); turns; turns--) await this.desk.turn()
  }

  async call(asked: Asked, about: string) {
    const began = this.tick++
    const from = this.shown.push(this.desk.now()) - 1
    const { task, answered } = await this.desk.perform(asked, about)
    this.ended++
    this.shown.push(this.desk.now())
    const times = [...new Set(this.shown.slice(asked.kind === 'look' ? this.since(from) : from))]
    const flows = this.desk.pass === undefined
    const call = { asked, answered, began, ended: this.tick++, times, flows }
    // A `next` that returns nothing concerns every task.
    for (const one of task === undefined ? this.calls.keys() : [task])
      this.calls.get(one)!.push(call)
    return { about: task, answered }
  }

  /** Without a write, a look may return the response of any earlier moment in the same second. */
  private since(from: number): number {
    const second = Math.floor(this.shown[from]! / 1000)
    return this.shown.findIndex((moment) => Math.floor(moment / 1000) === second)
  }

  histories(): History[] {
    return this.desk.tasks.map(({ task, value }) => ({
      ...{ task, value },
      calls: this.calls.get(task)!,
    }))
  }
}
