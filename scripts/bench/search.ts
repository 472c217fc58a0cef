import type { BenchServers } from './bench-servers.ts'
import { load, requestOf, roundRobin } from './client.ts'
import type { Fixture } from './fixture.ts'
import { onPostgres } from './on-postgres.ts'
import { seededRandom, wordAt } from './random.ts'
import type { Row } from './report.ts'
import { RARE_WORDS, ticketKeysOf } from './requests.ts'
import { medianSample, type RunSettings, sampleRounds, spreadOf, type TimedRun } from './sample.ts'
import { residentMegabytes, type Server } from './servers.ts'

/**
 * The kinds of queries. The mix contains each of them equally often, with random words. A common
 * word is in about a fifth of all tasks, a medium one in a hundredth, a rare one in one of thousands.
 */
const KINDS: Record<string, (words: WordSource) => string> = {
  'rare word': ({ rare }) => rare(),
  'medium word': ({ medium }) => medium(),
  'common word': ({ common }) => common(),
  'common and medium': ({ common, medium }) => `${common()} ${medium()}`,
  'two common': ({ common }) => `${common()} ${common()}`,
  'three words with OR': ({ common, medium, rare }) => `${common()} OR ${medium()} OR ${rare()}`,
  phrase: ({ common }) => `"${common()} ${common()}"`,
  'half a word': ({ medium }) => medium().slice(0, 4),
  'without a word': ({ common, medium }) => `${common()} -${medium()}`,
  'common, open, assigned to me': ({ common }) => `${common()} is:open assignee:me`,
  'common, with label and due date': ({ common }) => `${common()} label:risk due:>=2025-03-01`,
  'medium, not high, recently created': ({ medium }) =>
    `${medium()} -priority:high created:>=2026-01-01`,
  'ticket key': ({ key }) => key(),
}

type SearchTarget = Server & Fixture

/** Each function returns another word, or another key, at each call. */
type WordSource = Record<'rare' | 'medium' | 'common' | 'key', () => string>

const DISTINCT_REQUESTS = 2000
/** The highest allowed p95 in milliseconds, on one board and on all of them. */
const TARGETS = { board: 30, all: 120 }
type Scope = keyof typeof TARGETS
/** The same for single kinds of queries. */
const KIND_TARGETS: Record<Scope, Record<string, number>> = {
  board: { 'common and medium': 15, 'two common': 50 },
  all: { 'two common': 120 },
}
const MAX_GROWTH_MB = 64

export async function search(bench: BenchServers): Promise<Row[]> {
  const server = await bench.large()
  const { settings, sizes } = bench
  const rows: Row[] = []
  // The warm-up compiles and caches, which does not count as growth of memory.
  for (const scope of ['board', 'all'] as const)
    await searchRun(server, scope)(settings.seconds * 4)
  const before = residentMegabytes(server.pid)
  for (const [scope, max] of Object.entries(TARGETS) as [Scope, number][]) {
    const where = scope === 'board' ? `board of ${sizes.board} in ${sizes.all}` : `all ${sizes.all}`
    const runs = Object.keys(KINDS).map((kind) => [kind, searchRun(server, scope, [kind])] as const)
    const mix = await rowOf(settings, `the whole mix, ${where}`, searchRun(server, scope))
    rows.push({ ...mix, target: { max } })
    for (const [kind, run] of runs) {
      const row = await rowOf({ ...settings, rounds: 1 }, `${kind}, ${where}`, run)
      const kindMax = KIND_TARGETS[scope][kind]
      rows.push({ ...row, ...(kindMax && { target: { max: kindMax } }) })
    }
  }
  rows.push(memoryRow(before, residentMegabytes(server.pid)))
  return [...rows, ...(await onPostgres(bench, (moved) => twoCommonWords(bench, moved)))]
}

/** The slowest kind of query, on PostgreSQL. */
async function twoCommonWords({ settings, sizes }: BenchServers, server: SearchTarget) {
  const kind = 'two common'
  const rows: Row[] = []
  for (const scope of ['board', 'all'] as const) {
    const where = scope === 'board' ? `board of ${sizes.board} in ${sizes.all}` : `all ${sizes.all}`
    const run = searchRun(server, scope, [kind])
    await run(settings.seconds)
    const row = await rowOf(settings, `${kind}, ${where}, PostgreSQL`, run)
    rows.push({ ...row, target: { max: KIND_TARGETS[scope][kind]! } })
  }
  return rows
}

/** Searches over one connection, with so many distinct queries that no response is cached. */
function searchRun(server: SearchTarget, scope: Scope, kinds = Object.keys(KINDS)): TimedRun {
  const { boards, api_key } = server
  const words = wordSourceOf(server)
  const board = scope === 'board' ? `&board_id=${boards[0]!.project_id}` : ''
  const requests = Array.from({ length: DISTINCT_REQUESTS }, (_, at) => {
    const query = KINDS[kinds[at % kinds.length]!]!(words)
    const path = `/api/v1/search/tasks?query=${encodeURIComponent(query)}&offset=${at % 25}${board}`
    return requestOf('GET', path, { token: api_key })
  })
  return load({ target: server, connections: 1, next: roundRobin(requests) })
}

function wordSourceOf(server: SearchTarget): WordSource {
  const { below } = seededRandom(11)
  const key = roundRobin(ticketKeysOf(server, 12))
  const between = (from: number, to: number) => () => wordAt(from + below(to - from))
  return {
    common: between(0, 10),
    medium: between(200, 400),
    rare: between(RARE_WORDS.from, RARE_WORDS.to),
    key,
  }
}

async function rowOf(settings: RunSettings, measurement: string, run: TimedRun): Promise<Row> {
  const samples = await sampleRounds(settings, run)
  return {
    ...{ group: 'search', measurement, connections: 1, unit: 'ms', baselineName: 'p95' },
    ...{ sample: medianSample(samples), figure: spreadOf(samples.map(({ p95 }) => p95)) },
  }
}

const memoryRow = (before: number, after: number): Row => ({
  ...{ group: 'search', measurement: 'growth of memory during all searches', unit: 'MB' },
  ...{ figure: spreadOf([after - before]), target: { max: MAX_GROWTH_MB } },
  note: `${before.toFixed(0)} MB before`,
})
