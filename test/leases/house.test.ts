import { expect, test } from 'bun:test'
import { seed as first, scaled } from '../extent.ts'
import { onPostgres } from '../server.ts'
import { world } from '../world.ts'
import { shared } from './house.ts'
import { unexplained } from './linearize.ts'
import { played } from './schedule.ts'

const many = onPostgres ? scaled(60, 1000) : scaled(500, 10_000)
const MINUTES = scaled(2, 20)

/** From so many schedules on, every outcome in SEEN must occur; else they would test too little. */
const ENOUGH = 500
const SEEN = [
  ...['claim closed', 'claim held', 'claim leased', 'next leased', 'next nothing'],
  ...['heartbeat leased', 'heartbeat stale', 'release released', 'release stale'],
  ...['write accepted', 'write held', 'write missing', 'write stale', 'note accepted'],
  ...['finish accepted', 'finish held', 'finish missing', 'reopen accepted'],
  ...['read value', 'look lease'],
]

/** CORK_TEST_SEED=… starts at that number. A number always produces the same schedule. */
test(
  `${many} schedules of agents on a board are linearizable under the lease rules, from ${first} on`,
  async () => {
    const boardOf = await shared(await world())
    const seen = new Set<string>()
    for (let number = first; number < first + many; number++) {
      const histories = await played(await boardOf(['text 0', 'text 0']), number)
      const wrong = histories.map(unexplained).filter((one) => one !== undefined)
      if (wrong.length) throw new Error(`CORK_TEST_SEED=${number}\n${wrong.join('\n')}`)
      for (const { asked, answered } of histories.flatMap(({ calls }) => calls))
        seen.add(`${asked.kind} ${answered.says}`)
    }
    if (many >= ENOUGH) expect(SEEN.filter((one) => !seen.has(one))).toEqual([])
  },
  MINUTES * 60_000,
)
