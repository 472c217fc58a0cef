import type { BenchServers } from './bench-servers.ts'
import { load, requestOf, roundRobin } from './client.ts'
import type { Row } from './report.ts'
import { probeUntil } from './responsiveness.ts'
import { medianSample, type Sample, spreadOf } from './sample.ts'

const MAX_OPENING_MS = 200
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
  ]
}
