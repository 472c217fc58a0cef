import { expect, test } from 'bun:test'
import type { Caller } from '../../src/kernel/caller.ts'
import { fault } from '../../src/kernel/fault.ts'
import { Feed, type Source } from '../../src/surfaces/live/index.ts'
import { waitUntil } from '../support/wait.ts'

type Change = Awaited<ReturnType<Source['changesSince']>>[number]

/** A change log in memory that counts how often access is checked. */
function fakeSource() {
  const log: Change[] = []
  const listeners = new Set<() => void>()
  const counts = { refreshes: 0, boardChecks: 0, reads: 0 }
  const revoked = new Set<string>()
  const failures: unknown[] = []
  const gate = { until: undefined as Promise<void> | undefined }
  const source: Source = {
    lastSeq: async () => log.length,
    async changesSince(seq, limit) {
      counts.reads++
      const changes = log.slice(seq, seq + limit)
      await gate.until
      return changes
    },
    onSignal: () => () => undefined,
    onCommit(call) {
      listeners.add(call)
      return () => listeners.delete(call)
    },
    async refreshCaller(caller) {
      counts.refreshes++
      if (revoked.has(caller.credential)) throw fault.forbidden('No more', '')
      return caller
    },
    async canSeeBoard(_, project_id) {
      counts.boardChecks++
      return project_id !== 13
    },
    canHear: (_, { project_id }, sees) => sees(project_id!),
    mayChangeAccess: ({ type }) => type === 'member.removed',
    onError: (error) => failures.push(error),
  }
  const appendChanges = (many = 1, type = 'task.updated', project_id = 7, data = {}) => {
    for (let i = 0; i < many; i++) {
      const seq = log.length + 1
      const place = { team_id: 1, project_id, actor_id: 1, actor: {} }
      log.push({ seq, type, ...place, data, created_at: new Date(0) })
    }
    for (const call of listeners) call()
  }
  return { source, log, counts, revoked, failures, appendChanges, gate }
}

const SLOW = { poll: 60_000, check: 60_000, ping: 60_000 }

function startFeed(pace = SLOW) {
  const source = fakeSource()
  const feed = new Feed(source.source, pace)
  const open = (credential: string, options: { after?: number; project_id?: number } = {}) => {
    const caller = { credential } as Caller
    return feed.open(caller, { after: source.log.length, ...options }, () => {})
  }
  return { ...source, feed, open }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** Reads a stream in the background and collects the numbers of its events. */
function readStream({ body }: { body: ReadableStream<Uint8Array> }) {
  const reader: Reader = body.getReader()
  const streams = { seqs: [] as number[], chunks: [] as Uint8Array[], ended: false, reader }
  const decoder = new TextDecoder()
  const read = async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      streams.chunks.push(next.value)
      for (const [, seq] of decoder.decode(next.value).matchAll(/^id: (\d+)$/gm))
        streams.seqs.push(Number(seq))
    }
    streams.ended = true
  }
  void read()
  return streams
}

const rangeTo = (last: number, from = 1) =>
  Array.from({ length: last - from + 1 }, (_, i) => from + i)

test('an event is serialized once for all streams, and access is checked once per credential', async () => {
  const { open, appendChanges, counts } = startFeed()
  const streams = Array.from({ length: 60 }, (_, i) => readStream(open(`key:${i % 3}`)))
  await waitUntil(() => counts.reads >= 60)
  appendChanges(50)
  await waitUntil(() => streams.every(({ seqs }) => seqs.length === 50))
  const chunks = new Set(streams.map(({ chunks }) => chunks.at(-1)))
  expect(chunks.size).toBe(1)
  // One check of the board per credential, because no change could have affected access.
  expect(counts).toMatchObject({ boardChecks: 3, refreshes: 0 })
  appendChanges(1)
  appendChanges(1, 'task.updated', 13)
  // Nobody receives the change of board 13, which may be read after the other was sent.
  await waitUntil(() => counts.boardChecks >= 6)
  await waitUntil(() => streams.every(({ seqs }) => seqs.length === 51))
  expect(counts).toMatchObject({ boardChecks: 6, refreshes: 0 })
  appendChanges(1, 'member.removed')
  appendChanges(20)
  await waitUntil(() => streams.every(({ seqs }) => seqs.length === 72))
  expect(counts.refreshes).toBe(3)
})

test('thousands of streams are served in batches, so that other work runs in between', async () => {
  const { feed, open, appendChanges, counts } = startFeed()
  const streamCount = 5000
  const streams = Array.from({ length: streamCount }, (_, i) => readStream(open(`key:${i % 50}`)))
  await waitUntil(() => counts.reads >= streamCount)
  let before = 0
  let largestBatch = 0
  const measure = () => {
    const now = streams.filter(({ seqs }) => seqs.length).length
    largestBatch = Math.max(largestBatch, now - before)
    before = now
    if (now < streamCount) setImmediate(measure)
  }
  setImmediate(measure)
  appendChanges(1)
  await waitUntil(() => before === streamCount)
  expect(largestBatch).toBeLessThan(200)
  // Streams that open or close meanwhile do not affect the others.
  for (let i = 0; i < 20; i++) {
    appendChanges(20)
    const lateStream = readStream(open('key:7', { after: 0 }))
    streams.push(lateStream)
    void streams[i]!.reader.cancel()
    await Bun.sleep(1)
  }
  const remaining = streams.slice(20)
  await waitUntil(() => remaining.every(({ seqs }) => seqs.at(-1) === 401))
  for (const { seqs } of remaining) expect(seqs).toEqual(rangeTo(401))
  await waitUntil(() => feed.size === streamCount)
})

test('a stream that catches up while others receive an event receives it once too', async () => {
  const { open, appendChanges, gate } = startFeed()
  const first = readStream(open('key:1'))
  await waitUntil(() => first.chunks.length === 1)
  const lateStream = open('key:2')
  const { promise, resolve } = Promise.withResolvers<void>()
  gate.until = promise
  const streams = readStream(lateStream)
  await Bun.sleep(5)
  gate.until = undefined
  appendChanges(1)
  await waitUntil(() => first.seqs.length === 1)
  resolve()
  await waitUntil(() => streams.seqs.length === 1)
  appendChanges(1)
  await waitUntil(() => streams.seqs.length === 2)
  expect([first.seqs, streams.seqs]).toEqual([rangeTo(2), rangeTo(2)])
})

test('a stream receives only events of its board and of boards that it can see', async () => {
  const { open, appendChanges } = startFeed()
  const [all, one, none] = [
    readStream(open('key:1')),
    readStream(open('key:1', { project_id: 8 })),
    readStream(open('key:1', { project_id: 9 })),
  ]
  await waitUntil(() => [all, one, none].every(({ chunks }) => chunks.length === 1))
  await Bun.sleep(5)
  for (let i = 0; i < 10; i++) {
    appendChanges(1, 'task.updated', 7)
    appendChanges(1, 'task.updated', 8)
    appendChanges(1, 'task.updated', 13)
  }
  await waitUntil(() => all.seqs.length === 20 && one.seqs.length === 10)
  expect(one.seqs).toEqual(rangeTo(10).map((i) => 3 * i - 1))
  expect(none.seqs).toEqual([])
})

test('a paused stream receives the rest in order, and a stream that never reads is closed', async () => {
  const { feed, open, appendChanges, failures } = startFeed()
  const slow = open('key:1').body.getReader()
  const unread = open('key:1')
  const reads = readStream(open('key:1'))
  await slow.read()
  // A stream receives new events directly only from its second read on.
  const first = slow.read()
  await Bun.sleep(5)
  appendChanges(1)
  expect(new TextDecoder().decode((await first).value)).toContain('id: 1\n')
  for (let i = 0; i < 6; i++) {
    appendChanges(1, 'task.updated', 7, { text: 'x'.repeat(100_000) })
    await waitUntil(() => reads.seqs.length === 2 + i)
  }
  const rest = readStream({ body: { getReader: () => slow } as never })
  await waitUntil(() => rest.seqs.length === 6)
  expect(rest.seqs).toEqual(rangeTo(7, 2))
  // The stream that is never read has not started yet, so it buffers nothing.
  expect(feed.size).toBe(3)
  const disconnected = open('key:1').body.getReader()
  await disconnected.read()
  void disconnected.read()
  await Bun.sleep(5)
  for (let i = 0; i < 14; i++) {
    appendChanges(1, 'task.updated', 7, { text: 'x'.repeat(100_000) })
    await waitUntil(() => reads.seqs.length === 8 + i)
  }
  await waitUntil(() => feed.size === 3)
  expect((await disconnected.read()).done).toBe(true)
  expect(rest.seqs).toEqual(rangeTo(21, 2))
  unread.end()
  expect(failures).toEqual([])
})

test('every stream is pinged when it is due, but not all in one tick', async () => {
  const { open } = startFeed({ poll: 10, check: 60_000, ping: 200 })
  const streams = Array.from({ length: 500 }, (_, i) => readStream(open(`key:${i % 5}`)))
  let before = 0
  let largestBatch = 0
  const measure = () => {
    const now = streams.filter(({ chunks }) => chunks.length > 1).length
    largestBatch = Math.max(largestBatch, now - before)
    before = now
    if (now < streams.length) setImmediate(measure)
  }
  setImmediate(measure)
  await waitUntil(() => before === streams.length)
  expect(largestBatch).toBeLessThan(200)
  await Bun.sleep(100)
  expect(streams.every(({ chunks }) => chunks.length <= 3)).toBe(true)
})

test('an invalid credential ends only its own streams, even without any change', async () => {
  const { feed, open, revoked, failures } = startFeed({ poll: 10, check: 20, ping: 60_000 })
  const streams = Array.from({ length: 40 }, (_, i) => readStream(open(`key:${i % 2}`)))
  await waitUntil(() => streams.every(({ chunks }) => chunks.length === 1))
  revoked.add('key:1')
  await waitUntil(() => feed.size === 20)
  expect(streams.map(({ ended }) => ended)).toEqual(streams.map((_, i) => i % 2 === 1))
  expect(failures).toEqual([])
})
