import { expect, test } from 'bun:test'
import { onPostgres } from '../support/postgres.ts'
import { seed as firstSeed, scaleCount } from '../support/scale.ts'
import { world } from '../support/world.ts'
import { createBoardsInWorld } from './boards.ts'
import { linearizationFailure } from './linearize.ts'
import { runSchedule } from './schedule.ts'

const scheduleCount = onPostgres ? scaleCount(60, 1000) : scaleCount(500, 10_000)
const MINUTES = scaleCount(2, 20)

/** From so many schedules on, every outcome in SEEN must occur; else they would test too little. */
const MIN_SCHEDULES = 500
const EXPECTED_OUTCOMES = [
  ...['claim closed', 'claim held', 'claim leased', 'next leased', 'next nothing'],
  ...['heartbeat leased', 'heartbeat stale', 'release released', 'release stale'],
  ...['write accepted', 'write held', 'write missing', 'write stale', 'note accepted'],
  ...['finish accepted', 'finish held', 'finish missing', 'reopen accepted'],
  ...['hand over accepted', 'hand over held', 'hand over missing'],
  ...['read value', 'look lease'],
]

/** CORK_TEST_SEED=… starts at that number. A number always produces the same schedule. */
test(
  `${scheduleCount} schedules of agents on a board are linearizable under the lease rules, from ${firstSeed} on`,
  async () => {
    const createBoard = await createBoardsInWorld(await world())
    const outcomes = new Set<string>()
    for (let seed = firstSeed; seed < firstSeed + scheduleCount; seed++) {
      const histories = await runSchedule(await createBoard(['text 0', 'text 0']), seed)
      const failures = histories.map(linearizationFailure).filter((one) => one !== undefined)
      if (failures.length) throw new Error(`CORK_TEST_SEED=${seed}\n${failures.join('\n')}`)
      for (const { request, response } of histories.flatMap(({ calls }) => calls))
        outcomes.add(`${request.kind} ${response.outcome}`)
    }
    if (scheduleCount >= MIN_SCHEDULES)
      expect(EXPECTED_OUTCOMES.filter((one) => !outcomes.has(one))).toEqual([])
  },
  MINUTES * 60_000,
)
