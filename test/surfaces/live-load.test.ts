import { afterEach, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { createBoard } from '../support/board.ts'
import { NOON, world } from '../support/world.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0)) await cleanUp()
})

async function startServer() {
  const w = await world()
  const { app } = w
  app.listen({ port: 0, hostname: '127.0.0.1', reusePort: false })
  cleanups.push(() => app.stop(true))
  const { ada } = w
  const { team_id, project_id } = await createBoard(w, 'A busy board')
  const place = { team_id, project_id }
  const change = (data: Record<string, unknown>) =>
    w.store.write((tx) =>
      w.store.append(tx, ada.caller, NOON, [{ type: 'task.updated', place, data }]),
    )
  return { ...w, port: app.server!.port!, change }
}

/** Writes with eight concurrent callers and returns the duration. */
async function writeConcurrently(
  change: (data: Record<string, unknown>) => Promise<void>,
  count: number,
) {
  const startedAt = performance.now()
  let n = 0
  const caller = async () => {
    while (n < count) await change({ n: n++ })
  }
  await Promise.all(Array.from({ length: 8 }, caller))
  return performance.now() - startedAt
}

test('a hundred streams receive every event without blocking the writers', async () => {
  const { port, change, cleo, feed } = await startServer()
  await writeConcurrently(change, 400)
  const withoutReaders = await writeConcurrently(change, 800)
  const counts = new Array<number>(100).fill(0)
  // A response without a reference is garbage-collected, and its stream with it.
  const responses: Response[] = []
  const connection = new AbortController()
  cleanups.unshift(() => connection.abort())
  await Promise.all(
    counts.map(async (_, i) => {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/events`, {
        headers: { authorization: `Bearer ${cleo.secret}` },
        signal: connection.signal,
      })
      responses.push(response)
      const decoder = new TextDecoder()
      const read = async () => {
        let line = ''
        for await (const bytes of response.body!) {
          // Chunks can end anywhere, so the last line may be incomplete.
          const lines = (line + decoder.decode(bytes, { stream: true })).split('\n')
          line = lines.pop()!
          counts[i]! += lines.filter((one) => one === 'event: task.updated').length
        }
      }
      void read().catch(() => undefined)
    }),
  )
  expect(feed.size).toBe(100)
  const withStreams = await writeConcurrently(change, 800)
  for (let i = 0; i < 500 && counts.some((count) => count < 800); i++) await Bun.sleep(10)
  expect(counts).toEqual(new Array(100).fill(800))
  expect(responses).toHaveLength(100)
  // Clients and server share one thread here, and 80,000 events are sent, so the limit is generous.
  console.log(
    `800 writes: ${withoutReaders.toFixed(0)} ms alone, ${withStreams.toFixed(0)} ms with 100 streams`,
  )
  expect(withStreams).toBeLessThan(withoutReaders * 5 + 2000)
})

test('a client that does not read is disconnected, and a client that reads is not', async () => {
  const { port, change, cleo, ben, feed } = await startServer()
  const head = `GET /api/v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer`
  const pausedSocket = connect(port, '127.0.0.1')
  cleanups.unshift(() => pausedSocket.destroy())
  pausedSocket.pause()
  pausedSocket.write(`${head} ${cleo.secret}\r\n\r\n`)
  let received = ''
  const reader = connect(port, '127.0.0.1')
  cleanups.unshift(() => reader.destroy())
  reader.on('data', (bytes) => {
    received = (received + bytes).slice(-100_000)
  })
  reader.write(`${head} ${ben.secret}\r\n\r\n`)
  for (let i = 0; i < 200 && feed.size < 2; i++) await Bun.sleep(10)
  expect(feed.size).toBe(2)
  const text = 'x'.repeat(20_000)
  // The sockets buffer a few megabytes before the stream has to buffer anything.
  for (let i = 0; i < 2000 && feed.size > 1; i++) {
    await change({ i, text })
    // Server and clients share one process, so the reader needs time to run.
    if (i % 10 === 0) await Bun.sleep(1)
  }
  expect(feed.size).toBe(1)
  await change({ last: true })
  for (let i = 0; i < 200 && !received.includes('"last":true'); i++) await Bun.sleep(10)
  expect(received).toContain('"last":true')
})
