import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { beads } from '../../src/import/sources/beads/index.ts'
import { trello } from '../../src/import/sources/trello/index.ts'
import { cleanUp, createFolder } from '../binary/cork.ts'
import { createInstallation } from '../binary/installation.ts'
import { writeTrelloBoard } from '../import/generated-board.ts'
import { writeIssues } from '../import/generated-issues.ts'
import { scaleCount, seed } from '../support/scale.ts'
import { importDisturbed, importUndisturbed, VICTIMS } from './import-scenario.ts'
import { Random } from './random.ts'

afterAll(cleanUp)

const SIZE = scaleCount(200, 1500)
const KILLS = scaleCount(2, 6)
const ROUNDS = scaleCount(2, 15)

const random = new Random(seed)
const files = {
  'a board of Trello': async () => {
    const path = join(createFolder(), 'board.json')
    await writeTrelloBoard(path, { cards: SIZE, rich: true })
    return { path, source: trello }
  },
  'issues with parents': async () => {
    const path = join(createFolder(), 'issues.jsonl')
    writeIssues(path, SIZE)
    return { path, source: beads }
  },
}

for (const [what, write] of Object.entries(files))
  test(
    `an import of ${what}, whose server or client is killed, continues without gaps and copies`,
    async () => {
      const { path, source } = await write()
      const expected = await importUndisturbed(await createInstallation(), source, path)
      let [kills, partial] = [0, 0]
      // A kill after the last batch proves little: more rounds follow until enough came earlier.
      for (let round = 0; round < ROUNDS || partial < ROUNDS; round++) {
        expect(round).toBeLessThan(ROUNDS * 5)
        const disturbance = { victim: VICTIMS[round % VICTIMS.length]!, kills: KILLS, random }
        const outcome = await importDisturbed(await createInstallation(), expected, disturbance)
        expect(outcome.problems.slice(0, 10)).toEqual([])
        partial += outcome.partial
        kills += KILLS
      }
      console.log(
        `imports: seed ${seed}, ${kills} kills, ${partial} of them in the middle of ${what}`,
      )
    },
    scaleCount(180_000, 900_000),
  )
