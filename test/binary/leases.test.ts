import { afterAll, expect, test } from 'bun:test'
import { seed as first, scaled } from '../extent.ts'
import { boards } from '../leases/house.ts'
import { unexplained } from '../leases/linearize.ts'
import { played } from '../leases/schedule.ts'
import { onPostgres } from '../server.ts'
import { initiated, serving, sweep } from './cork.ts'
import { crewOf } from './crew.ts'

afterAll(sweep)

const many = scaled(20, 200)
const servers = onPostgres ? 3 : 1

test(
  `${many} schedules of requests to ${servers} server${servers > 1 ? 's' : ''} follow the rules of leases, from seed ${first}`,
  async () => {
    const made = await initiated()
    const running = await Promise.all(Array.from({ length: servers }, () => serving(made.data)))
    const crew = await crewOf(
      running.map(({ url }) => url),
      made,
    )
    const boardOf = boards(crew, { now: () => Date.now(), turn: () => Bun.sleep(1) })
    for (let number = first; number < first + many; number++) {
      const histories = await played(await boardOf(['text 0', 'text 0']), number)
      const wrong = histories.map(unexplained).filter((one) => one !== undefined)
      if (wrong.length) throw new Error(`CORK_TEST_SEED=${number}\n${wrong.join('\n')}`)
      expect(histories.flatMap(({ calls }) => calls).length).toBeGreaterThan(20)
    }
    await Promise.all(running.map((server) => server.end()))
  },
  scaled(60_000, 600_000),
)
