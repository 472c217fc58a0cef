import { afterAll, expect, test } from 'bun:test'
import { cleanUp } from '../binary/cork.ts'
import { scaleCount, seed } from '../support/scale.ts'
import { Random } from './random.ts'
import { emptyTotals, WriterScenario } from './writer-scenario.ts'

afterAll(cleanUp)

const KILLS = scaleCount(6, 200)
/** Auditing slows down as the database grows, so each data folder has this many rounds. */
const ROUNDS_PER_SCENARIO = 20

test(
  'every acknowledged write survives kill -9, and no write is half done',
  async () => {
    const totals = emptyTotals()
    const random = new Random(seed)
    while (totals.kills < KILLS) {
      const scenario = await WriterScenario.open(random, totals)
      for (let round = 0; round < ROUNDS_PER_SCENARIO && totals.kills < KILLS; round++)
        await scenario.round()
      expect(await scenario.close()).toBe(0)
    }
    const {
      kills,
      killsWhileStarting,
      acknowledged,
      refusals,
      unanswered,
      doneUnanswered,
      lost,
      errors,
    } = totals
    console.log(
      `crash: seed ${seed}, ${kills} kills (${killsWhileStarting} while starting), ${acknowledged} writes acknowledged, ${lost.length} lost, ${refusals} refused, ${unanswered} unanswered of which ${doneUnanswered} were done`,
    )
    expect(lost.slice(0, 10)).toEqual([])
    expect(errors.slice(0, 10)).toEqual([])
    // Fewer would mean that the test covered too little.
    expect(acknowledged).toBeGreaterThan(kills * 5)
    expect(unanswered).toBeGreaterThan(kills)
  },
  scaleCount(60_000, 900_000),
)

test('on SIGTERM under load every write is answered, and no other write is done', async () => {
  const totals = emptyTotals()
  const scenario = await WriterScenario.open(new Random(seed), totals)
  for (let round = 0; round < 3; round++) {
    const { code, ms } = await scenario.round('SIGTERM')
    expect(code).toBe(0)
    expect(ms).toBeLessThan(10_000)
  }
  expect(await scenario.close()).toBe(0)
  const { acknowledged, unanswered, doneUnanswered, closeHeaders, lost, errors } = totals
  expect({ unanswered, doneUnanswered, lost, errors }).toEqual({
    unanswered: 0,
    doneUnanswered: 0,
    lost: [],
    errors: [],
  })
  expect(closeHeaders).toBeGreaterThan(0)
  expect(acknowledged).toBeGreaterThan(100)
})
