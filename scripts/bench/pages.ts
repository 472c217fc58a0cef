import { mapConcurrently } from '../concurrency.ts'
import { call } from './api.ts'
import type { BenchServers, TestServer } from './bench-servers.ts'
import { load, requestOf, roundRobin } from './client.ts'
import { waitUntilIdle } from './fill.ts'
import { seededRandom } from './random.ts'
import type { Row } from './report.ts'
import { changes, firstBoardOf, gets, ticketKeysOf } from './requests.ts'
import { compareRuns, medianTimeRatio, rateRatio } from './sample.ts'

const READERS = 16
const WRITERS = 16
const CONCURRENT_WRITES = 32
const PAGE_LENGTH = 4096
const LARGE = { length: 200_000, versions: 500 }
/** Many, so that none of them has become long when the last round ends. */
const SHORT_PAGES = 1000
const APPENDED_LENGTH = 200

const random = seededRandom(21)
const textOf = (length: number) => random.words(Math.ceil(length / 5)).slice(0, length)
/** A text with paragraphs of 500 characters. */
const longText = (length: number) =>
  Array.from({ length: Math.ceil(length / 500) }, () => textOf(498))
    .join('\n\n')
    .slice(0, length)

export async function pages(bench: BenchServers): Promise<Row[]> {
  const server = await bench.writable('small')
  const count = bench.sizes.small
  const normal = await createPages(server, count, () => longText(PAGE_LENGTH))
  const short = await createPages(server, SHORT_PAGES, () => textOf(APPENDED_LENGTH))
  const large = await createLargePages(server, bench.sizes.pages)
  await waitUntilIdle(server)
  const reads = (background?: () => Buffer) => compareReads(bench, server, normal, background)
  const appends = (connections: number) =>
    compareAppends(bench, server, { large, short }, connections)
  const measurement = `get a page of 4 KB, of ${count}`
  return [
    { measurement, ...(await reads()) },
    { measurement: `${measurement}, while tasks change`, ...(await reads(changes(server))) },
    await appends(1),
    await appends(WRITERS),
  ]
}

async function compareReads(
  bench: BenchServers,
  server: TestServer,
  pageIds: readonly number[],
  background?: () => Buffer,
) {
  const request = (page_id: number) =>
    requestOf('GET', `/api/v1/pages/${page_id}`, { token: server.api_key })
  const shared = { target: server, connections: READERS, ...(background && { background }) }
  const subject = load({ ...shared, next: roundRobin(pageIds.map(request)) })
  const baseline = load({ ...shared, next: gets(server) })
  return {
    ...{ group: 'pages', connections: READERS, unit: '×' as const, baselineName: 'get a task' },
    ...(await compareRuns(bench.settings, { subject, baseline }, rateRatio)),
    target: { min: 0.5 },
  }
}

/** Compares appending to large pages that have many versions with appending to short pages. */
async function compareAppends(
  bench: BenchServers,
  server: TestServer,
  { large, short }: { large: readonly number[]; short: readonly number[] },
  connections: number,
): Promise<Row> {
  const body = { content: textOf(APPENDED_LENGTH), mode: 'append' }
  const request = (page_id: number) =>
    requestOf('PATCH', `/api/v1/pages/${page_id}`, { token: server.api_key, body })
  const run = (pageIds: readonly number[]) =>
    load({ target: server, connections, next: roundRobin(pageIds.map(request)) })
  const runs = { subject: run(large), baseline: run(short) }
  return {
    ...{ group: 'pages', connections, unit: '×', baselineName: 'to a short page, p50' },
    measurement: `append ${APPENDED_LENGTH} characters to 200 KB with ${LARGE.versions} versions`,
    ...(await compareRuns(bench.settings, runs, medianTimeRatio)),
    target: { max: 3 },
  }
}

/** Creates pages on random tasks of the board. Returns their ids. */
async function createPages(
  server: TestServer,
  count: number,
  text: () => string,
): Promise<number[]> {
  const keys = ticketKeysOf(firstBoardOf(server), 22, count)
  return mapConcurrently(CONCURRENT_WRITES, keys, async (key) => {
    const body = { content: text(), title: random.words(4) }
    const path = `/api/v1/tasks/${key}/pages`
    return Number((await call(server.url, server.api_key, 'POST', path, body)).page_id)
  })
}

/** Creates large pages and appends to them until they have many versions. */
async function createLargePages(server: TestServer, count: number): Promise<number[]> {
  const { length, versions } = LARGE
  const initialLength = length - versions * APPENDED_LENGTH
  const ids = await createPages(server, count, () => longText(initialLength))
  const body = () => ({ content: textOf(APPENDED_LENGTH), mode: 'append', note: 'Learnt today' })
  await mapConcurrently(CONCURRENT_WRITES, ids, async (page_id) => {
    const path = `/api/v1/pages/${page_id}`
    for (let version = 1; version < versions; version++)
      await call(server.url, server.api_key, 'PATCH', path, body())
    const page = await call(server.url, server.api_key, 'GET', path)
    if (page.version !== versions || Number(page.length) < length)
      throw new Error(`A page has ${page.length} characters and ${page.version} versions`)
  })
  return ids
}
