import { inTurn, load, requestOf } from './client.ts'
import type { Bench } from './house.ts'
import { watched } from './pulse.ts'
import type { Row } from './report.ts'
import { type Sample, spreadOf, typical } from './sample.ts'

const OPENS_WITHIN_MS = 200
const OTHERS_WAIT_MS = 50

/** One person opens board after board in a large team; another asks for next to nothing meanwhile. */
export async function boards(bench: Bench): Promise<Row[]> {
  const house = await bench.large()
  const others = house.boards.slice(1)
  // No board twice in a run, so that no response comes from memory.
  const paths = others.map(({ project_id }) => `/api/v1/projects/${project_id}/board`)
  const next = inTurn(paths.map((path) => requestOf('GET', path, { token: house.api_key })))
  const run = load({ target: house, connections: 1, next })
  const samples: Sample[] = []
  const slowest: number[] = []
  await run(bench.pace.seconds / 2)
  for (let round = 0; round < bench.pace.rounds; round++) {
    let done = false
    const opening = run(bench.pace.seconds).finally(() => {
      done = true
    })
    slowest.push((await watched(house, async () => done)).waited)
    samples.push(await opening)
  }
  const what = `open a board of ${others[0]!.tasks} in ${bench.sizes.all}`
  const row = { group: 'boards', connections: 1, unit: 'ms' } as const
  return [
    {
      ...{ ...row, what, yardstick: 'p50', sample: typical(samples) },
      ...{ figure: spreadOf(samples.map(({ p50 }) => p50)), target: { most: OPENS_WITHIN_MS } },
    },
    {
      ...{ ...row, what: `${what}, another's request meanwhile`, yardstick: 'slowest' },
      ...{ figure: spreadOf(slowest), target: { most: OTHERS_WAIT_MS } },
    },
  ]
}
