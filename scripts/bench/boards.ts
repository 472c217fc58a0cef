import { call } from './api.ts'
import type { BenchServers } from './bench-servers.ts'
import { load, requestOf, roundRobin } from './client.ts'
import type { Row } from './report.ts'
import { probeUntil } from './responsiveness.ts'
import { medianSample, type Sample, sampleOf, spreadOf } from './sample.ts'

const MAX_OPENING_MS = 60
const MAX_DELTA_MS = 5
const MAX_OTHER_RESPONSE_MS = 50

/** Opens one board after another in a large team, while another client sends small requests. */
export async function boards(bench: BenchServers): Promise<Row[]> {
  const server = await bench.large()
  const others = server.boards.slice(1)
  // No board is opened twice in a run, so that no response comes from a cache.
  const paths = others.map(({ project_id }) => `/api/v1/projects/${project_id}/board`)
  const next = roundRobin(paths.map((path) => requestOf('GET', path, { token: server.api_key })))
  const run = load({ target: server, connections: 1, next })
  const samples: Sample[] = []
  const slowest: number[] = []
  await run(bench.settings.seconds / 2)
  for (let round = 0; round < bench.settings.rounds; round++) {
    let isDone = false
    const opening = run(bench.settings.seconds).finally(() => {
      isDone = true
    })
    slowest.push((await probeUntil(server, async () => isDone)).slowestResponse)
    samples.push(await opening)
  }
  const measurement = `open a board of ${others[0]!.tasks} in ${bench.sizes.all}`
  const row = { group: 'boards', connections: 1, unit: 'ms' } as const
  return [
    {
      ...{ ...row, measurement, baselineName: 'p50', sample: medianSample(samples) },
      ...{ figure: spreadOf(samples.map(({ p50 }) => p50)), target: { max: MAX_OPENING_MS } },
    },
    {
      ...{ ...row, measurement: `${measurement}, requests of another client` },
      ...{ baselineName: 'slowest', figure: spreadOf(slowest) },
      target: { max: MAX_OTHER_RESPONSE_MS },
    },
    await deltaRow(bench),
  ]
}

/** Measures how long it takes to refresh an open board after a change by another client. */
async function deltaRow(bench: BenchServers): Promise<Row> {
  const { url, api_key, boards } = await bench.writable('large')
  const { project_id, key, tasks } = boards[1]!
  const board = `/api/v1/projects/${project_id}/board`
  let { seq } = await call(url, api_key, 'GET', board)
  const times: number[] = []
  const startedAt = performance.now()
  const seconds = bench.settings.seconds * bench.settings.rounds
  for (let at = 1; performance.now() - startedAt < seconds * 1000; at++) {
    const ticket = `${key}-${1 + (at % tasks)}`
    await call(url, api_key, 'PATCH', `/api/v1/tasks/${ticket}`, { title: `Changed ${at}` })
    const sentAt = performance.now()
    const delta = await call(url, api_key, 'GET', `${board}?since=${seq}`)
    times.push(performance.now() - sentAt)
    if (delta.whole) throw new Error('The whole board was returned after a single change')
    seq = delta.seq
  }
  const sample = sampleOf(times, times.reduce((sum, ms) => sum + ms, 0) / 1000, NO_CPU_USE)
  return {
    ...{ group: 'boards', connections: 1, unit: 'ms', baselineName: 'p50', sample },
    measurement: `refresh an open board of ${tasks} in ${bench.sizes.all} after a change`,
    ...{ figure: spreadOf([sample.p50]), target: { max: MAX_DELTA_MS } },
  }
}

const NO_CPU_USE = { client: Number.NaN, server: Number.NaN }
