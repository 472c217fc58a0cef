import { expect, test } from 'bun:test'
import type { Caller } from '../../src/kernel/caller.ts'
import { fault } from '../../src/kernel/fault.ts'
import { Feed, type Source } from '../../src/surfaces/live/index.ts'

type Change = Awaited<ReturnType<Source['changesSince']>>[number]

/** A change log in memory that counts how often access is checked. */
function source() {
  const log: Change[] = []
  const heard = new Set<() => void>()
  const asked = { again: 0, sees: 0, since: 0 }
  const barred = new Set<string>()
  const failures: unknown[] = []
  const held = { until: undefined as Promise<void> | undefined }
  const made: Source = {
    lastSeq: async () => log.length,
    async changesSince(seq, limit) {
      asked.since++
      const found = log.slice(seq, seq + limit)
      await held.until
      return found
    },
    onCommit(call) {
      heard.add(call)
      return () => heard.delete(call)
    },
    async refreshCaller(caller) {
      asked.again++
      if (barred.has(caller.credential)) throw fault.forbidden('No more', '')
      return caller
    },
    async canSeeBoard(_, project_id) {
      asked.sees++
      return project_id !== 13
    },
    canHear: (_, { project_id }, sees) => sees(project_id!),
    mayChangeAccess: ({ type }) => type === 'member.removed',
    onError: (error) => failures.push(error),
  }
  const happen = (many = 1, type = 'task.updated', project_id = 7, data = {}) => {
    for (let i = 0; i < many; i++) {
      const seq = log.length + 1
      const place = { team_id: 1, project_id, actor_id: 1, actor: {} }
      log.push({ seq, type, ...place, data, created_at: new Date(0) })
    }
    for (const call of heard) call()
  }
  return { source: made, log, asked, barred, failures, happen, held }
}

const SLOW = { poll: 60_000, check: 60_000, ping: 60_000 }

function house(pace = SLOW) {
  const made = source()
  const feed = new Feed(made.source, pace)
  const open = (credential: string, wish: { after?: number; project_id?: number } = {}) => {
    const caller = { credential } as Caller
    return feed.open(caller, { after: made.log.length, ...wish }, () => {})
  }
  return { ...made, feed, open }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** Reads the whole stream and keeps the numbers of its events. */
function follow({ body }: { body: ReadableStream<Uint8Array> }) {
  const reader: Reader = body.getReader()
  const told = { seqs: [] as number[], chunks: [] as Uint8Array[], ended: false, reader }
  const decoder = new TextDecoder()
  const read = async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      told.chunks.push(next.value)
      for (const [, seq] of decoder.decode(next.value).matchAll(/^id: (\d+)$/gm))
        told.seqs.push(Number(seq))
    }
    told.ended = true
  }
  void read()
  return told
}

const until = async (true_: () => boolean) => {
  for (let i = 0; i < 500 && !true_(); i++) await Bun.sleep(5)
  expect(true_()).toBe(true)
}
const upTo = (last: number, from = 1) => Array.from({ length: last - from + 1 }, (_, i) => from + i)

test('an event is serialized once for all streams, and access is checked once per credential', async () => {
  const { open, happen, asked } = house()
  const told = Array.from({ length: 60 }, (_, i) => follow(open(`key:${i % 3}`)))
  await until(() => asked.since >= 60)
  happen(50)
  await until(() => told.every(({ seqs }) => seqs.length === 50))
  const chunks = new Set(told.map(({ chunks }) => chunks.at(-1)))
  expect(chunks.size).toBe(1)
  // One check of the board per credential, because no change could have affected access.
  expect(asked).toMatchObject({ sees: 3, again: 0 })
  happen(1)
  happen(1, 'task.updated', 13)
  await until(() => told.every(({ seqs }) => seqs.length === 51))
  expect(asked).toMatchObject({ sees: 6, again: 0 })
  happen(1, 'member.removed')
  happen(20)
  await until(() => told.every(({ seqs }) => seqs.length === 72))
  expect(asked.again).toBe(3)
})

test('thousands of streams are served in batches, so that other work runs in between', async () => {
  const { feed, open, happen, asked } = house()
  const many = 5000
  const told = Array.from({ length: many }, (_, i) => follow(open(`key:${i % 50}`)))
  await until(() => asked.since >= many)
  let before = 0
  let most = 0
  const look = () => {
    const now = told.filter(({ seqs }) => seqs.length).length
    most = Math.max(most, now - before)
    before = now
    if (now < many) setImmediate(look)
  }
  setImmediate(look)
  happen(1)
  await until(() => before === many)
  expect(most).toBeLessThan(200)
  // Streams that open or close meanwhile do not affect the others.
  for (let i = 0; i < 20; i++) {
    happen(20)
    const late = follow(open('key:7', { after: 0 }))
    told.push(late)
    void told[i]!.reader.cancel()
    await Bun.sleep(1)
  }
  const left = told.slice(20)
  await until(() => left.every(({ seqs }) => seqs.at(-1) === 401))
  for (const { seqs } of left) expect(seqs).toEqual(upTo(401))
  await until(() => feed.size === many)
}, 30_000)

test('a stream that catches up while others receive an event receives it once too', async () => {
  const { open, happen, held } = house()
  const first = follow(open('key:1'))
  await until(() => first.chunks.length === 1)
  const late = open('key:2')
  const { promise, resolve } = Promise.withResolvers<void>()
  held.until = promise
  const told = follow(late)
  await Bun.sleep(5)
  held.until = undefined
  happen(1)
  await until(() => first.seqs.length === 1)
  resolve()
  await until(() => told.seqs.length === 1)
  happen(1)
  await until(() => told.seqs.length === 2)
  expect([first.seqs, told.seqs]).toEqual([upTo(2), upTo(2)])
})

test('a stream receives only events of its board and of boards that it can see', async () => {
  const { open, happen } = house()
  const [all, one, none] = [
    follow(open('key:1')),
    follow(open('key:1', { project_id: 8 })),
    follow(open('key:1', { project_id: 9 })),
  ]
  await until(() => [all, one, none].every(({ chunks }) => chunks.length === 1))
  await Bun.sleep(5)
  for (let i = 0; i < 10; i++) {
    happen(1, 'task.updated', 7)
    happen(1, 'task.updated', 8)
    happen(1, 'task.updated', 13)
  }
  await until(() => all.seqs.length === 20 && one.seqs.length === 10)
  expect(one.seqs).toEqual(upTo(10).map((i) => 3 * i - 1))
  expect(none.seqs).toEqual([])
})

test('a paused stream receives the rest in order, and a stream that never reads is closed', async () => {
  const { feed, open, happen, failures } = house()
  const slow = open('key:1').body.getReader()
  const deaf = open('key:1')
  const reads = follow(open('key:1'))
  await slow.read()
  // The second read makes the stream join the others.
  const first = slow.read()
  await Bun.sleep(5)
  happen(1)
  expect(new TextDecoder().decode((await first).value)).toContain('id: 1\n')
  for (let i = 0; i < 6; i++) {
    happen(1, 'task.updated', 7, { text: 'x'.repeat(100_000) })
    await until(() => reads.seqs.length === 2 + i)
  }
  const rest = follow({ body: { getReader: () => slow } as never })
  await until(() => rest.seqs.length === 6)
  expect(rest.seqs).toEqual(upTo(7, 2))
  // The stream that is never read has not started yet, so it buffers nothing.
  expect(feed.size).toBe(3)
  const lost = open('key:1').body.getReader()
  await lost.read()
  void lost.read()
  await Bun.sleep(5)
  for (let i = 0; i < 14; i++) {
    happen(1, 'task.updated', 7, { text: 'x'.repeat(100_000) })
    await until(() => reads.seqs.length === 8 + i)
  }
  await until(() => feed.size === 3)
  expect((await lost.read()).done).toBe(true)
  expect(rest.seqs).toEqual(upTo(21, 2))
  deaf.end()
  expect(failures).toEqual([])
})

test('every stream is pinged when it is due, but not all in one tick', async () => {
  const { open } = house({ poll: 10, check: 60_000, ping: 200 })
  const told = Array.from({ length: 500 }, (_, i) => follow(open(`key:${i % 5}`)))
  let before = 0
  let most = 0
  const look = () => {
    const now = told.filter(({ chunks }) => chunks.length > 1).length
    most = Math.max(most, now - before)
    before = now
    if (now < told.length) setImmediate(look)
  }
  setImmediate(look)
  await until(() => before === told.length)
  expect(most).toBeLessThan(200)
  await Bun.sleep(100)
  expect(told.every(({ chunks }) => chunks.length <= 3)).toBe(true)
})

test('an invalid credential ends only its own streams, even without any change', async () => {
  const { feed, open, barred, failures } = house({ poll: 10, check: 20, ping: 60_000 })
  const told = Array.from({ length: 40 }, (_, i) => follow(open(`key:${i % 2}`)))
  await until(() => told.every(({ chunks }) => chunks.length === 1))
  barred.add('key:1')
  await until(() => feed.size === 20)
  expect(told.map(({ ended }) => ended)).toEqual(told.map((_, i) => i % 2 === 1))
  expect(failures).toEqual([])
})
