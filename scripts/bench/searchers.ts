import { cpSync } from 'node:fs'
import type { BenchServers } from './bench-servers.ts'
import { load, requestOf } from './client.ts'
import { waitUntilIndexed } from './indexed.ts'
import { type PageFixture, passageCountOf, preparePageFixture } from './page-fixture.ts'
import { pageFixtureSizeOf, searchRun } from './passages.ts'
import type { Row } from './report.ts'
import { compareRuns, type RunSettings, rateRatio, spreadOf, type TimedRun } from './sample.ts'
import { type Server, serveFolder } from './servers.ts'

const SEARCHERS = 8
/** Requests per second for a task, while others search. */
const READS = 20
const MIN_GAIN = 1.7
const MAX_READ_MS = 20
/** Searches of all boards are slow, so a rate needs a longer run. */
const LONGER = 4

/** Concurrent searches with one worker and with two, and reads of a task meanwhile. */
export async function searchers(bench: BenchServers): Promise<Row[]> {
  const size = pageFixtureSizeOf(bench)
  const fixture = await preparePageFixture(bench.binary, size)
  const two = await serveCopy(bench, fixture, 'searchers-two')
  const one = await serveCopy(bench, fixture, 'searchers-one', {
    CORK_BENCH_ONE_SEARCH_WORKER: '1',
  })
  try {
    const settings = { ...bench.settings, seconds: bench.settings.seconds * LONGER }
    const servers = { subject: two, baseline: one }
    // The first searches load the boards into each worker.
    for (const connections of [1, 2])
      for (const server of [two, one])
        await searchRun(server, fixture, { onAllBoards: true, connections })(settings.seconds)
    return await measure(settings, servers, fixture, `${passageCountOf(size)} passages`)
  } finally {
    await two.stop()
    await one.stop()
  }
}

async function measure(
  settings: RunSettings,
  { subject, baseline }: Record<'subject' | 'baseline', Server>,
  fixture: PageFixture,
  among: string,
): Promise<Row[]> {
  const reads: number[] = []
  const runs = {
    subject: withReads(subject, fixture, (p99) => reads.push(p99)),
    baseline: withReads(baseline, fixture, () => {}),
  }
  const compared = await compareRuns(settings, runs, rateRatio)
  const row = { group: 'searchers', connections: SEARCHERS }
  return [
    {
      ...{ ...row, measurement: `searches of all boards, ${among}`, unit: '×', ...compared },
      ...{ baselineName: 'one worker', target: { min: MIN_GAIN } },
    },
    {
      ...{ ...row, measurement: 'reads of a task meanwhile', unit: 'ms', baselineName: 'p99' },
      // The first run is the warm-up.
      ...{ figure: spreadOf(reads.slice(1)), target: { max: MAX_READ_MS } },
    },
  ]
}

/** Searches, and reports the p99 of the reads of a task that are sent at the same time. */
function withReads(target: Server, fixture: PageFixture, report: (p99: number) => void): TimedRun {
  const search = searchRun(target, fixture, { onAllBoards: true, connections: SEARCHERS })
  const read = requestOf('GET', `/api/v1/tasks/${fixture.task}`, { token: fixture.api_key })
  const reads = load({ target, connections: 1, rate: READS, next: () => read })
  return async (seconds) => {
    const [sample, { p99 }] = await Promise.all([search(seconds), reads(seconds)])
    report(p99)
    return sample
  }
}

/** The data has its search index already. */
async function serveCopy(
  { binary, path }: BenchServers,
  { folder, api_key }: PageFixture,
  name: string,
  env: Record<string, string> = {},
): Promise<Server> {
  cpSync(folder, path(name), { recursive: true })
  const server = await serveFolder(binary, path(name), env)
  await waitUntilIndexed({ ...server, api_key })
  return server
}
