import { afterAll, expect, test } from 'bun:test'
import { cleanUp } from '../binary/cork.ts'
import { scaleCount, seed } from '../support/scale.ts'
import { ChannelScenario } from './channel-scenario.ts'
import { Random } from './random.ts'

afterAll(cleanUp)

const KILLS = scaleCount(6, 100)
/** A kill leaves at most this many deliveries per service that were accepted and not recorded. */
const UNRECORDED = 16

test(
  'kill -9 while channels are served loses no notification, and gives none of them a second id',
  async () => {
    const scenario = await ChannelScenario.open(new Random(seed))
    await scenario.run(KILLS)
    await scenario.waitUntilDelivered()
    const { written, messages, tickets, expected, severalIds, repeats, problems } = scenario.audit()
    console.log(
      `channels: seed ${seed}, ${KILLS} kills, ${written} tasks written, ${messages} messages, ${repeats} sent again after a success`,
    )
    expect(problems.slice(0, 10)).toEqual([])
    expect(severalIds.slice(0, 10)).toEqual([])
    expect(tickets).toEqual([expected, expected])
    expect(messages).toBe(written * 2)
    // What was accepted and not recorded before a kill is sent again, with the same id.
    expect(repeats).toBeLessThanOrEqual(KILLS * UNRECORDED * 2)
    // Otherwise no kill would have come between sending a message and recording that.
    expect(repeats).toBeGreaterThanOrEqual(scaleCount(0, 1))
    expect(await scenario.close()).toBe(0)
  },
  scaleCount(120_000, 900_000),
)
