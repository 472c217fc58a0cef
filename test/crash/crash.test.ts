import { afterAll, expect, test } from 'bun:test'
import { sweep } from '../binary/cork.ts'
import { scaled, seed } from '../extent.ts'
import { Chance } from './chance.ts'
import { House, nothingYet } from './house.ts'

afterAll(sweep)

const KILLS = scaled(6, 200)
/** Auditing slows down as the database grows, so each data folder has this many rounds. */
const PER_HOUSE = 20

test(
  'every acknowledged write survives kill -9, and no write is half done',
  async () => {
    const tally = nothingYet()
    const chance = new Chance(seed)
    while (tally.kills < KILLS) {
      const house = await House.open(chance, tally)
      for (let round = 0; round < PER_HOUSE && tally.kills < KILLS; round++) await house.round()
      expect(await house.close()).toBe(0)
    }
    const { kills, starting, acknowledged, refused, unanswered, done, lost, wrong } = tally
    console.log(
      `crash: seed ${seed}, ${kills} kills (${starting} while starting), ${acknowledged} writes acknowledged, ${lost.length} lost, ${refused} refused, ${unanswered} unanswered of which ${done} were done`,
    )
    expect(lost.slice(0, 10)).toEqual([])
    expect(wrong.slice(0, 10)).toEqual([])
    // Fewer would mean that the test covered too little.
    expect(acknowledged).toBeGreaterThan(kills * 5)
    expect(unanswered).toBeGreaterThan(kills)
  },
  scaled(60_000, 900_000),
)

test('on SIGTERM under load every write is answered, and no other write is done', async () => {
  const tally = nothingYet()
  const house = await House.open(new Chance(seed), tally)
  for (let round = 0; round < 3; round++) {
    const { code, ms } = await house.round('SIGTERM')
    expect(code).toBe(0)
    expect(ms).toBeLessThan(10_000)
  }
  expect(await house.close()).toBe(0)
  const { acknowledged, unanswered, done, farewells, lost, wrong } = tally
  expect({ unanswered, done, lost, wrong }).toEqual({ unanswered: 0, done: 0, lost: [], wrong: [] })
  expect(farewells).toBeGreaterThan(0)
  expect(acknowledged).toBeGreaterThan(100)
})
