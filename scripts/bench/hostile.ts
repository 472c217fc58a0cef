import { call } from './api.ts'
import type { BenchServers, TestServer } from './bench-servers.ts'
import { roundRobin } from './client.ts'
import { addPerson } from './fill.ts'
import type { Flood } from './hostile-flood.ts'
import { findSlowTexts, KNOWN_SLOW_TEXTS, type Text } from './hostile-texts.ts'
import type { Row } from './report.ts'
import { firstBoardOf, ticketKeysOf } from './requests.ts'
import { type Sample, sampleOf, spreadOf } from './sample.ts'
import { mainThreadMs } from './servers.ts'

const CONNECTIONS = 6
const MAX_P99_MS = 50
const MAX_STALL_MS = 20
/** Between two requests of the reader whose response times are measured. */
const PAUSE_MS = 5

/** Measures how a reader is affected while a guest sends the slowest texts that were found. */
export async function hostile(bench: BenchServers): Promise<Row[]> {
  const server = await bench.small()
  // Two guests, because each has a budget of processing time and the search would use it up.
  const [scout, guest] = [
    await addGuest(bench.binary, server),
    await addGuest(bench.binary, server),
  ]
  const seconds = Math.max(bench.settings.seconds, 0.5)
  const quiet = await readTasks(server, seconds)
  const slowTexts = await findSlowTexts((text) => timeText(server, scout, text), {
    ...{ seconds: seconds * 4, count: 8 },
  })
  const flood = startFlood(server, guest, [...slowTexts, ...KNOWN_SLOW_TEXTS])
  const loaded = await readTasks(server, seconds * bench.settings.rounds)
  const statuses = await flood.stop()
  const note = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
  const common = { group: 'hostile', connections: 1, unit: 'ms' as const, note }
  return [
    {
      ...common,
      measurement: `get while a guest sends the slowest texts over ${CONNECTIONS} connections, p99`,
      ...{ sample: loaded.sample, baselineName: 'no other client', baseline: quiet.sample },
      ...{ figure: spreadOf([loaded.sample.p99]), target: { max: MAX_P99_MS } },
    },
    {
      ...{ ...common, measurement: 'longest work of the main thread during a get' },
      ...{ figure: spreadOf([loaded.longestStall]), target: { max: MAX_STALL_MS } },
    },
  ]
}

/** Adds a guest and invites it to the first board. Returns the guest's API key. */
async function addGuest(
  binary: string,
  { data, url, api_key, boards }: TestServer,
): Promise<string> {
  const email = `guest-${crypto.randomUUID()}@example.com`
  const guest = addPerson(binary, data, { email, name: 'Guest', role: 'guest' })
  const path = `/api/v1/projects/${boards[0]!.project_id}/members`
  await call(url, api_key, 'POST', path, { member_identifier: email })
  return guest.api_key
}

/** Reads one task after another. Also returns the longest work of the main thread during a read. */
async function readTasks(
  server: TestServer,
  seconds: number,
): Promise<{ sample: Sample; longestStall: number }> {
  const nextKey = roundRobin(ticketKeysOf(firstBoardOf(server), 1))
  const times: number[] = []
  let longestStall = 0
  const deadline = performance.now() + seconds * 1000
  while (performance.now() < deadline) {
    const [startedAt, workBefore] = [performance.now(), mainThreadMs(server.pid)]
    await call(server.url, server.api_key, 'GET', `/api/v1/tasks/${nextKey()}`)
    times.push(performance.now() - startedAt)
    longestStall = Math.max(longestStall, mainThreadMs(server.pid) - workBefore)
    await Bun.sleep(PAUSE_MS)
  }
  const sample = sampleOf(times, seconds, { client: Number.NaN, server: Number.NaN })
  return { longestStall, sample }
}

/** Sends a text in one request and returns the milliseconds until the response. */
async function timeText(
  server: TestServer,
  guest: string,
  { text, isMarkdown }: Text,
): Promise<number> {
  const startedAt = performance.now()
  await post(server, guest, isMarkdown ? preview(text) : comment(server, text, 'html'))
  return performance.now() - startedAt
}

interface Request {
  path: string
  body: object
}

const preview = (text: string): Request => ({ path: '/api/v1/preview', body: { text } })

const comment = (server: TestServer, text: string, content_type: string): Request => ({
  path: `/api/v1/tasks/${ticketKeysOf(firstBoardOf(server), 2, 1)[0]}/comments`,
  body: { text, content_type },
})

const requestsFor = (server: TestServer, { text, isMarkdown }: Text): Request[] => {
  const content_type = isMarkdown ? 'markdown' : 'html'
  const path = `/api/v1/tasks/${ticketKeysOf(firstBoardOf(server), 3, 1)[0]}/pages`
  return [
    preview(text),
    comment(server, text, content_type),
    { path, body: { content: text, content_type } },
  ]
}

async function post({ url }: TestServer, token: string, { path, body }: Request): Promise<void> {
  const response = await fetch(url + path, {
    ...{ method: 'POST', body: JSON.stringify(body) },
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  })
  await response.arrayBuffer()
}

/** Sends the texts repeatedly until stopped. Error responses are allowed. */
function startFlood(server: TestServer, guest: string, texts: readonly Text[]) {
  const worker = new Worker(new URL('./hostile-flood.ts', import.meta.url).href)
  const requests = texts
    .flatMap((text) => requestsFor(server, text))
    .map(({ path, body }) => ({ path, body: JSON.stringify(body) }))
  const flood: Flood = { url: server.url, token: guest, connections: CONNECTIONS, requests }
  worker.postMessage(flood)
  return {
    async stop() {
      const { promise, resolve } = Promise.withResolvers<Map<number, number>>()
      worker.onmessage = ({ data }) => resolve(data)
      worker.postMessage('stop')
      const statuses = await promise
      worker.terminate()
      return statuses
    },
  }
}
