import { afterAll, expect, test } from 'bun:test'
import { createBoards } from '../leases/boards.ts'
import { linearizationFailure } from '../leases/linearize.ts'
import { runSchedule } from '../leases/schedule.ts'
import { onPostgres } from '../support/postgres.ts'
import { seed as first, scaleCount } from '../support/scale.ts'
import { cleanUp, initDataFolder, startServer } from './cork.ts'
import { createAgents } from './rest-callers.ts'

afterAll(cleanUp)

const SCHEDULES = scaleCount(20, 200)
const servers = onPostgres ? 3 : 1

test(
  `${SCHEDULES} schedules of requests to ${servers} server${servers > 1 ? 's' : ''} follow the rules of leases, from seed ${first}`,
  async () => {
    const owner = await initDataFolder()
    const running = await Promise.all(
      Array.from({ length: servers }, () => startServer(owner.data)),
    )
    const agents = await createAgents(
      running.map(({ url }) => url),
      owner,
    )
    const createBoard = createBoards(agents, {
      now: () => Date.now(),
      yieldToOthers: () => Bun.sleep(1),
    })
    for (let scheduleSeed = first; scheduleSeed < first + SCHEDULES; scheduleSeed++) {
      const histories = await runSchedule(await createBoard(['text 0', 'text 0']), scheduleSeed)
      const unexplainedHistories = histories
        .map(linearizationFailure)
        .filter((one) => one !== undefined)
      if (unexplainedHistories.length)
        throw new Error(`CORK_TEST_SEED=${scheduleSeed}\n${unexplainedHistories.join('\n')}`)
      expect(histories.flatMap(({ calls }) => calls).length).toBeGreaterThan(20)
    }
    await Promise.all(running.map((server) => server.end()))
  },
  scaleCount(60_000, 600_000),
)
