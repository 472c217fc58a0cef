import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onPostgres } from '../server.ts'
import { ask, folder, type Serving, sweep } from './cork.ts'
import { type Ground, ground } from './ground.ts'
import { linesOf, textOf } from './team.ts'

afterAll(sweep)

const indexOf = ({ data }: Ground) => join(data, 'search.db')

/** The metrics of a server about its index. */
async function figures({ url }: Serving): Promise<Record<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line.startsWith('cork_search_'))
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', value] = line.split(' ')
      return [name.slice('cork_search_'.length), Number(value)]
    }),
  )
}

async function built(server: Serving): Promise<Record<string, number>> {
  for (let tries = 0; tries < 800; tries++) {
    const told = await figures(server)
    if (told.building === 0 && told.lag === 0) return told
    await Bun.sleep(25)
  }
  throw new Error('The index is not built')
}

const found = async ({ url }: Serving, key: string, query: string) =>
  (await ask(url, key, 'GET', `/api/v1/search/semantic?query=${encodeURIComponent(query)}`)).body
    .data

const doctor = async (place: Ground) =>
  (await place.run(['doctor'])).out.split('\n').find((line) => line.includes('search index'))

/** A team with that many imported tasks, before a server has run. */
async function imported(many: number) {
  const place = await ground()
  const made = await place.init()
  const team = join(folder(), 'team.jsonl')
  writeFileSync(team, textOf(linesOf(many)))
  await place.json(['import', team])
  return { ...place, ...made }
}

/** The lowest source id of an index; a rebuilt index gives every source a higher one. */
function lowest(place: Ground): number {
  const db = new Database(indexOf(place), { readonly: true })
  const { low } = db.query<{ low: number }, []>('SELECT min(source) AS low FROM sources').get()!
  db.close()
  return low
}

test('metrics and cork doctor report the state of the index, and cork reindex rebuilds it', async () => {
  const place = await imported(120)
  expect(await doctor(place)).toContain('ok       search index: is built when the server starts')
  const server = await place.serve()
  const told = await built(server)
  expect(told).toMatchObject({ building: 0, lag: 0, seconds_count: 0 })
  expect(told.passages).toBeGreaterThan(120)
  expect(told.bytes).toBeGreaterThan(10_000)
  expect((await found(server, place.api_key, 'task')).length).toBeGreaterThan(0)
  expect(await figures(server)).toMatchObject({ seconds_count: 1 })
  expect(await doctor(place)).toContain(
    `ok       search index: has ${told.passages} passages and is up to date`,
  )

  const before = lowest(place)
  await place.json(['reindex'])
  for (let tries = 0; tries < 200 && !(lowest(place) > before); tries++) await Bun.sleep(25)
  expect(lowest(place)).toBeGreaterThan(before)
  expect((await built(server)).passages).toBe(told.passages!)
  expect((await found(server, place.api_key, 'task')).length).toBeGreaterThan(0)
  expect(await server.end()).toBe(0)

  writeFileSync(indexOf(place), 'no database at all, '.repeat(500))
  expect(await doctor(place)).toContain('warning  search index:')
  await place.json(['reindex'])
  expect(existsSync(indexOf(place))).toBe(false)
}, 60_000)

test('a server stopped while it builds its index ends in 5 s and continues at the next start', async () => {
  const place = await imported(3000)
  const first = await place.serve()
  for (let tries = 0; tries < 800; tries++) {
    const { passages = 0 } = await figures(first)
    if (passages) break
    await Bun.sleep(5)
  }
  const began = performance.now()
  expect(await first.end()).toBe(0)
  expect(performance.now() - began).toBeLessThan(5000)
  expect(await first.err()).not.toContain('"level":50')
  const second = await place.serve()
  expect((await built(second)).passages).toBeGreaterThan(3000)
  expect(await second.end()).toBe(0)
}, 180_000)

test.if(onPostgres)(
  'servers that share a data folder each have their own index',
  async () => {
    const place = await imported(30)
    const [first, second] = await Promise.all([place.serve(), place.serve()])
    const both = await Promise.all([built(first), built(second)])
    expect(both[0].passages).toBe(both[1].passages!)
    for (const server of [first, second])
      expect((await found(server, place.api_key, 'task')).length).toBeGreaterThan(0)
    const beside = join(place.data, 'search-2.db')
    expect(statSync(beside).size).toBeGreaterThan(0)
    expect(await Promise.all([first.end(), second.end()])).toEqual([0, 0])
    rmSync(beside)
  },
  60_000,
)
