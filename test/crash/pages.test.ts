import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { cleanUp } from '../binary/cork.ts'
import { scaleCount, seed } from '../support/scale.ts'
import { emptyTotals, PageScenario } from './page-scenario.ts'
import { Random } from './random.ts'

afterAll(cleanUp)

const KILLS = scaleCount(6, 40)
const ROUNDS_PER_SCENARIO = 10

test(
  'kill -9 loses no acknowledged page version, and the index matches the database',
  async () => {
    const totals = emptyTotals()
    const random = new Random(seed)
    while (totals.kills < KILLS) {
      const scenario = await PageScenario.open(random, totals)
      for (let round = 0; round < ROUNDS_PER_SCENARIO && totals.kills < KILLS; round++)
        await scenario.round()
      expect(await scenario.close()).toBe(0)
    }
    const { kills, acknowledged, unanswered, texts, searchedWords, removedWords, longestWaitMs } =
      totals
    console.log(
      `pages: seed ${seed}, ${kills} kills, ${acknowledged} writes acknowledged, ${unanswered} unanswered, ${texts} texts read back, ${totals.lost.length} lost, ${searchedWords} words looked for (${removedWords} of them gone), ${totals.differences.length} not as the database has it, all known ${Math.round(longestWaitMs)} ms after a start`,
    )
    expect(totals.lost.slice(0, 10)).toEqual([])
    expect(totals.mismatches.slice(0, 10)).toEqual([])
    expect(totals.differences.slice(0, 10)).toEqual([])
    // Fewer would mean that the test covered too little.
    expect(acknowledged).toBeGreaterThan(kills * 2)
    expect(searchedWords).toBeGreaterThan(kills * 2)
    expect(removedWords).toBeGreaterThan(0)
  },
  scaleCount(90_000, 900_000),
)

/** Runs a statement directly on the index file. */
const runOnIndex = (sql: string) => (data: string) => {
  const database = new Database(join(data, 'search.db'))
  database.run(sql)
  database.close()
}

test('the comparison detects an index that lacks texts or contains texts that are gone', async () => {
  // As if the position in the log were saved before the texts up to it.
  const deleteTexts =
    'delete from passages where source in (select source from sources where kind = 2)'
  const copySources = `insert into sources select source + 9999, kind, ref + 9999, project, task, author,
    written_at, title, digest from sources where kind = 2`
  const copyPassages = `insert into passages (source, ordinal, headings, text)
    select source + 9999, ordinal, headings, text from passages where source < 9999`
  for (const [statements, message] of [
    [[deleteTexts], /^not in the index: \w+ in page/],
    [[copySources, copyPassages], /^in the index alone: \w+ in page/],
  ] as const) {
    const totals = emptyTotals()
    const scenario = await PageScenario.open(new Random(seed), totals)
    do await scenario.round()
    while (!scenario.pageCount)
    expect(totals.differences).toEqual([])
    await scenario.changeFolder((data) => {
      for (const sql of statements) runOnIndex(sql)(data)
    })
    await scenario.close()
    expect(totals.differences.join('\n')).toMatch(new RegExp(message, 'm'))
    expect([totals.lost, totals.mismatches]).toEqual([[], []])
  }
})
