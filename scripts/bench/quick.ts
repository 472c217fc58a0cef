import type { BenchServers, TestServer } from './bench-servers.ts'
import { load, requestOf, roundRobin } from './client.ts'
import { copyFixture, prepareFixture } from './fill.ts'
import { waitUntilIndexed } from './indexed.ts'
import { seededRandom } from './random.ts'
import type { Row } from './report.ts'
import { medianSample, type RunSettings, sampleRounds, spreadOf, type TimedRun } from './sample.ts'
import { serveFolder } from './servers.ts'

const BOARDS = 20
const MAX_P95_MS = 10
const DISTINCT_REQUESTS = 500
const MIN_LENGTH = 6

type Words = (count: number) => string[]

/** What people type; `words` returns consecutive words of a random title. */
const KINDS: Record<string, (words: Words) => string> = {
  'one character': (words) => words(1)[0]!.slice(0, 1),
  'two characters': (words) => words(1)[0]!.slice(0, 2),
  'half a word': (words) => words(1)[0]!.slice(0, 4),
  'a word': (words) => words(1)[0]!,
  'two words': (words) => words(2).join(' '),
  'a word and a character': (words) =>
    words(2)
      .join(' ')
      .slice(0, words(1)[0]!.length + 2),
  'swapped characters': (words) => words(1)[0]!.replace(/^(.{2})(.)(.)/, '$1$3$2'),
  'without the first character': (words) => words(1)[0]!.slice(1),
  'half a word with a typo': (words) => `${words(1)[0]!.slice(0, 4)}q`,
  'a number': () => '14',
}

/** Quick find among as many titles as are indexed. */
export async function quick({ binary, path, settings, sizes }: BenchServers): Promise<Row[]> {
  const boards = Array.from({ length: BOARDS }, () => sizes.board / BOARDS)
  const { folder: source, ...fixture } = await prepareFixture(binary, boards)
  const data = copyFixture({ folder: source, ...fixture }, path('quick'))
  const server = { ...(await serveFolder(binary, data)), ...fixture, data }
  try {
    const titles = await titlesOf(server)
    await waitUntilIndexed(server)
    // The warm-up loads the titles.
    await quickRun(server, titles, 'a word')(settings.seconds)
    const rows: Row[] = []
    for (const kind of Object.keys(KINDS))
      rows.push(
        await rowOf(settings, `${kind}, ${sizes.board} titles`, quickRun(server, titles, kind)),
      )
    return rows
  } finally {
    await server.stop()
  }
}

function quickRun(server: TestServer, titles: readonly string[], kind: string): TimedRun {
  const { below } = seededRandom(23)
  const words: Words = (count) => {
    const all = titles[below(titles.length)]!.split(/\W+/)
    const at = all.findIndex((word) => word.length >= MIN_LENGTH)
    return all.slice(Math.max(0, at), Math.max(0, at) + count)
  }
  const requests = Array.from({ length: DISTINCT_REQUESTS }, () => {
    const query = encodeURIComponent(KINDS[kind]!(words) || 'a')
    return requestOf('GET', `/api/v1/search/quick?query=${query}`, { token: server.api_key })
  })
  return load({ target: server, connections: 1, next: roundRobin(requests) })
}

async function titlesOf(server: TestServer): Promise<string[]> {
  const found: string[] = []
  for (const { project_id } of server.boards.slice(0, 10)) {
    const { data } = await get<{ data: { title: string }[] }>(
      server,
      `/api/v1/search/tasks?query=is:open&board_id=${project_id}&limit=50`,
    )
    found.push(...data.map(({ title }) => title))
  }
  return found
}

async function get<T>({ url, api_key }: TestServer, path: string): Promise<T> {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${api_key}` } })
  return (await response.json()) as T
}

async function rowOf(settings: RunSettings, measurement: string, run: TimedRun): Promise<Row> {
  const samples = await sampleRounds({ ...settings, rounds: 1 }, run)
  return {
    ...{ group: 'quick', measurement, connections: 1, unit: 'ms', baselineName: 'p95' },
    ...{ sample: medianSample(samples), figure: spreadOf(samples.map(({ p95 }) => p95)) },
    target: { max: MAX_P95_MS },
  }
}
