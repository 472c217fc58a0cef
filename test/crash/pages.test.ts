import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { sweep } from '../binary/cork.ts'
import { scaled, seed } from '../extent.ts'
import { Chance } from './chance.ts'
import { blank, Memory } from './memory.ts'

afterAll(sweep)

const KILLS = scaled(6, 40)
const PER_HOUSE = 10

test(
  'kill -9 loses no acknowledged page version, and the index matches the database',
  async () => {
    const account = blank()
    const chance = new Chance(seed)
    while (account.kills < KILLS) {
      const memory = await Memory.open(chance, account)
      for (let round = 0; round < PER_HOUSE && account.kills < KILLS; round++) await memory.round()
      expect(await memory.close()).toBe(0)
    }
    const { kills, acknowledged, unanswered, texts, asked, gone, waited } = account
    console.log(
      `pages: seed ${seed}, ${kills} kills, ${acknowledged} writes acknowledged, ${unanswered} unanswered, ${texts} texts read back, ${account.lost.length} lost, ${asked} words looked for (${gone} of them gone), ${account.apart.length} not as the database has it, all known ${Math.round(waited)} ms after a start`,
    )
    expect(account.lost.slice(0, 10)).toEqual([])
    expect(account.wrong.slice(0, 10)).toEqual([])
    expect(account.apart.slice(0, 10)).toEqual([])
    // Fewer would mean that the test covered too little.
    expect(acknowledged).toBeGreaterThan(kills * 2)
    expect(asked).toBeGreaterThan(kills * 2)
    expect(gone).toBeGreaterThan(0)
  },
  scaled(90_000, 900_000),
)

/** Runs a statement directly on the index file. */
const inIndex = (sql: string) => (data: string) => {
  const database = new Database(join(data, 'search.db'))
  database.run(sql)
  database.close()
}

test('the comparison detects an index that lacks texts or contains texts that are gone', async () => {
  // As if the position in the log were saved before the texts up to it.
  const forgets = 'delete from passages where source in (select source from sources where kind = 2)'
  const keeps = `insert into sources select source + 9999, kind, ref + 9999, project, task, author,
    written_at, title, digest from sources where kind = 2`
  const passages = `insert into passages (source, ordinal, headings, text)
    select source + 9999, ordinal, headings, text from passages where source < 9999`
  for (const [deeds, said] of [
    [[forgets], /^not in the index: \w+ in page/],
    [[keeps, passages], /^in the index alone: \w+ in page/],
  ] as const) {
    const account = blank()
    const memory = await Memory.open(new Chance(seed), account)
    do await memory.round()
    while (!memory.pages)
    expect(account.apart).toEqual([])
    await memory.meddle((data) => {
      for (const sql of deeds) inIndex(sql)(data)
    })
    await memory.close()
    expect(account.apart.join('\n')).toMatch(new RegExp(said, 'm'))
    expect([account.lost, account.wrong]).toEqual([[], []])
  }
}, 60_000)
