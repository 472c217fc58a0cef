import { Database } from 'bun:sqlite'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { call } from './api.ts'
import type { BenchServers } from './bench-servers.ts'
import { load, requestOf, roundRobin } from './client.ts'
import { waitUntilIndexed } from './indexed.ts'
import {
  type PageFixture,
  type PageFixtureSize,
  passageCountOf,
  preparePageFixture,
} from './page-fixture.ts'
import { seededRandom } from './random.ts'
import type { Row } from './report.ts'
import { probeUntil } from './responsiveness.ts'
import { medianSample, type RunSettings, sampleRounds, spreadOf, type TimedRun } from './sample.ts'
import { cpuSeconds, residentMegabytes, type Server, serveFolder } from './servers.ts'

const FULL: PageFixtureSize = { boards: 200, pages: 40, sections: 13 }
const QUICK: PageFixtureSize = { boards: 10, pages: 4, sections: 13 }
/** Runs with more tasks than this use the full size. */
const MAX_QUICK_TASKS = 100_000

export const pageFixtureSizeOf = ({ sizes }: BenchServers): PageFixtureSize =>
  sizes.all > MAX_QUICK_TASKS ? FULL : QUICK

const DISTINCT_REQUESTS = 2000
const WRITES = 20
const POLL_MS = 10
/** The first second of a process is not part of the measurement of indexing. */
const STARTUP_MS = 1000
const TIMEOUT_MS = 10_000

/** Measures semantic search over HTTP, on boards with many pages. */
export async function passages(bench: BenchServers): Promise<Row[]> {
  const size = pageFixtureSizeOf(bench)
  const fixture = await preparePageFixture(bench.binary, size)
  const folder = bench.path('passages')
  cpSync(fixture.folder, folder, { recursive: true })
  for (const suffix of ['', '-wal', '-shm'])
    rmSync(join(folder, `search.db${suffix}`), { force: true })
  const indexingRows = await measureIndexing(bench, { ...fixture, folder }, passageCountOf(size))
  const startTimes = await timeStarts(bench, folder, fixture)
  const server = await serveFolder(bench.binary, folder)
  try {
    const one = searchRun(server, fixture, { onAllBoards: false })
    const all = searchRun(server, fixture, { onAllBoards: true })
    // The warm-up loads all segments, which is not part of a search.
    await all(bench.settings.seconds)
    // Searches of all boards are slow, so their percentiles need a longer run.
    const longer = { ...bench.settings, seconds: bench.settings.seconds * 4 }
    return [
      await timeSearches(bench.settings, `a search of one of ${size.boards} boards`, one, 25),
      await timeSearches(longer, `a search of all ${size.boards} boards`, all, 150),
      rowOf('memory of the process after the searches', 'MB', [residentMegabytes(server.pid)], 500),
      ...indexingRows,
      rowOf('from the start to the first correct response', 'ms', startTimes, 2000),
      rowOf('from a write until it is found', 'ms', await timeWrites(server, fixture), 1000),
    ]
  } finally {
    await server.stop()
  }
}

const rowOf = (measurement: string, unit: Row['unit'], values: number[], max: number): Row => ({
  ...{ group: 'passages', measurement, unit, figure: spreadOf(values), target: { max } },
})

/** Measures how responsive the server is while it builds the whole index. */
async function measureIndexing(
  { binary, settings }: BenchServers,
  { folder, api_key }: PageFixture,
  passageCount: number,
): Promise<Row[]> {
  const server = await serveFolder(binary, folder)
  try {
    const startedAt = performance.now()
    await Bun.sleep(STARTUP_MS)
    const database = new Database(join(folder, 'search.db'), { readonly: true })
    const count = database.query<{ n: number }, []>('SELECT count(*) AS n FROM passages')
    let maxMegabytes = 0
    const indexing = await probeUntil(server, async () => {
      maxMegabytes = Math.max(maxMegabytes, residentMegabytes(server.pid))
      return count.get()!.n >= passageCount
    })
    const seconds = (performance.now() - startedAt) / 1000
    database.close()
    await waitUntilIndexed({ ...server, api_key })
    const rebuild = rowOf('processor time of a rebuild', 's', [cpuSeconds(server.pid)], 30)
    const end = performance.now() + settings.seconds * 2000
    const idle = await probeUntil(server, async () => performance.now() > end)
    const idleNote = `${idle.longestWork.toFixed(1)} ms and ${idle.slowestResponse.toFixed(1)} ms when idle`
    const note = `${passageCount} passages in ${seconds.toFixed(0)} s; slowest response ${indexing.slowestResponse.toFixed(1)} ms; ${idleNote}`
    const work = rowOf(
      'longest work of the main thread during indexing',
      'ms',
      [indexing.longestWork],
      10,
    )
    const memory = rowOf('peak memory of the process during indexing', 'MB', [maxMegabytes], 500)
    return [{ ...work, note }, memory, { ...rebuild, note: `${passageCount} passages` }]
  } finally {
    await server.stop()
  }
}

/** Searches with so many distinct queries that no response is cached. */
export function searchRun(
  target: Server,
  { api_key: token, boards }: PageFixture,
  { onAllBoards, connections = 1 }: { onAllBoards: boolean; connections?: number },
): TimedRun {
  const { below, words } = seededRandom(21)
  const requests = Array.from({ length: DISTINCT_REQUESTS }, () => {
    const { project_id } = boards[below(boards.length)]!
    const scope = onAllBoards ? '' : `&project_id=${project_id}`
    const query = encodeURIComponent(words(2 + below(5)))
    return requestOf('GET', `/api/v1/search/semantic?query=${query}${scope}`, { token })
  })
  return load({ target, connections, next: roundRobin(requests) })
}

async function timeSearches(
  settings: RunSettings,
  measurement: string,
  run: TimedRun,
  max: number,
): Promise<Row> {
  const samples = await sampleRounds(settings, run)
  const times = samples.map(({ p95 }) => p95)
  return {
    ...rowOf(measurement, 'ms', times, max),
    ...{ connections: 1, baselineName: 'p95', sample: medianSample(samples) },
  }
}

/** Returns the milliseconds from starting the process until a page is found by its title. */
async function timeStarts(
  { binary, settings }: BenchServers,
  folder: string,
  fixture: PageFixture,
) {
  const times: number[] = []
  for (let round = 0; round < settings.rounds; round++) {
    const startedAt = performance.now()
    const server = await serveFolder(binary, folder)
    try {
      await waitUntilFound(server, fixture, fixture.title, startedAt)
      times.push(performance.now() - startedAt)
    } finally {
      await server.stop()
    }
  }
  return times
}

/** Returns the milliseconds from the response to a write until a search finds the written page. */
async function timeWrites(server: Server, fixture: PageFixture): Promise<number[]> {
  const times: number[] = []
  for (let at = 0; at < WRITES; at++) {
    const title = `Quagga${Bun.randomUUIDv7('base64url').replace(/[^a-z]/gi, '')}${at}`
    await call(server.url, fixture.api_key, 'POST', `/api/v1/tasks/${fixture.task}/pages`, {
      ...{ title, content: 'Written just now.' },
    })
    const startedAt = performance.now()
    await waitUntilFound(server, fixture, title, startedAt)
    times.push(performance.now() - startedAt)
  }
  return times
}

async function waitUntilFound(
  { url }: Server,
  { api_key }: PageFixture,
  title: string,
  startedAt: number,
) {
  const path = `/api/v1/search/semantic?limit=3&query=${encodeURIComponent(title)}`
  for (;;) {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${api_key}` } })
    const text = await response.text()
    if (response.ok && text.includes(title)) return
    if (performance.now() - startedAt > TIMEOUT_MS)
      throw new Error(`${title} was not found: ${text}`)
    await Bun.sleep(POLL_MS)
  }
}
