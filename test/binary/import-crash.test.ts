import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { binary } from '../../scripts/build.ts'
import { Chance } from '../crash/chance.ts'
import { scaled } from '../extent.ts'
import { ask, ended, folder, surroundings, sweep } from './cork.ts'
import { type Ground, ground } from './ground.ts'
import { linesOf, textOf } from './team.ts'
import { boardIn } from './writers.ts'

afterAll(sweep)

const TASKS = 1000
/** All tasks of the file: its other board has a tenth as many. */
const ALL = TASKS * 1.1
const KILLS = scaled(4, 40)
const TEAM = 'Häfen ⚓'

function written(): string {
  const path = join(folder(), 'team.jsonl')
  writeFileSync(path, textOf(linesOf(TASKS)))
  return path
}

async function begun(place: Ground, path: string) {
  const command = ['import', path, '--data', place.data]
  return Bun.spawn([binary, ...command], {
    env: await surroundings(command, place.env),
    stdout: 'ignore',
    stderr: 'pipe',
  })
}

/** Reads rows directly from the database. */
async function rows(place: Ground, sql: string): Promise<Record<string, number | string>[]> {
  if (place.env.DATABASE_URL) {
    const client = new Client(place.env.DATABASE_URL)
    await client.connect()
    const { rows } = await client.query(sql)
    await client.end()
    return rows
  }
  const database = new Database(join(place.data, 'corkboard.db'))
  database.run('pragma busy_timeout=10000')
  const found = database.query(sql).all()
  database.close()
  return found as never
}

/** The number of tasks of each team of that name that has members. */
async function imported(place: Ground): Promise<number[]> {
  const found = await rows(
    place,
    `select (select count(*) from tasks where tasks.team_id = teams.team_id) as many from teams
     where name = '${TEAM}' and team_id in (select team_id from members)`,
  )
  return found.map(({ many }) => Number(many))
}

test('an import killed at any moment is complete or absent, and leftover rows are removed', async () => {
  const place = await ground()
  const { api_key } = await place.init()
  const server = await place.serve()
  const path = written()
  const chance = new Chance(Number(process.env.CORK_TEST_SEED ?? 7))
  const began = performance.now()
  expect(await (await begun(place, path)).exited).toBe(0)
  const whole = performance.now() - began
  for (let kill = 0; kill < KILLS; kill++) {
    const run = await begun(place, path)
    await Bun.sleep(chance.next() * whole)
    run.kill('SIGKILL')
    await run.exited
    expect(new Set(await imported(place))).toEqual(new Set([ALL]))
    expect((await ask(server.url, api_key, 'GET', '/api/v1/teams')).status).toBe(200)
  }
  const kept = (await imported(place)).length
  // Lets the staged imports expire.
  const past = place.env.DATABASE_URL ? "'2020-01-01'" : '0'
  await rows(place, `update imports set expires_at = ${past} returning team_id`)
  const until = Date.now() + 240_000
  while ((await rows(place, 'select team_id from imports')).length && Date.now() < until)
    await Bun.sleep(200)
  expect(await rows(place, 'select team_id from imports')).toEqual([])
  const [left] = await rows(
    place,
    'select (select count(*) from teams) as teams, (select count(*) from tasks) as tasks',
  )
  expect([Number(left!.teams), Number(left!.tasks)]).toEqual([1 + kept, kept * ALL])
  expect(await server.end()).toBe(0)
  expect((await place.run(['doctor'])).out).toContain('text index: has all')
}, 600_000)

test('an imported team appears with all its tasks at once, and reads and writes go on', async () => {
  const place = await ground()
  const { api_key, team_id } = await place.init()
  const server = await place.serve()
  const get = async (at: string) => (await ask(server.url, api_key, 'GET', at)).body
  const run = await begun(place, written())
  let done = false
  void run.exited.then(() => {
    done = true
  })
  const seen = new Set<number>()
  let teams = 0
  while (!done) {
    expect(await boardIn(server.url, api_key, team_id)).toBeGreaterThan(0)
    teams = (await get('/api/v1/teams')).data.length
    const { page } = await get('/api/v1/tasks')
    if (teams > 1) seen.add(page.total)
    else expect(page.total).toBe(0)
    await Bun.sleep(5)
  }
  expect(await run.exited).toBe(0)
  const { page } = await get('/api/v1/tasks')
  seen.add(page.total)
  expect(page.total).toBeGreaterThan(TASKS / 4)
  expect([...seen]).toEqual([page.total])
  expect(await server.end()).toBe(0)
}, 120_000)

test('Ctrl-C ends an import and removes what it wrote, and the next import works', async () => {
  const place = await ground()
  await place.init()
  const run = await begun(place, written())
  while (!(await rows(place, 'select team_id from imports')).length) await Bun.sleep(20)
  run.kill('SIGINT')
  expect(await run.exited).toBe(130)
  expect(await new Response(run.stderr).text()).toContain('Interrupted: nothing was imported')
  const [left] = await rows(
    place,
    'select (select count(*) from teams) as teams, (select count(*) from tasks) as tasks',
  )
  expect([Number(left!.teams), Number(left!.tasks)]).toEqual([1, 0])
  const again = await ended([binary, 'import', written(), '--data', place.data], {
    env: await surroundings(['--data', place.data], place.env),
  })
  expect(again.code).toBe(0)
}, 120_000)

test('a backup made during an import contains nothing of it', async () => {
  const place = await ground()
  await place.init()
  const run = await begun(place, written())
  while (!(await rows(place, 'select task_id from tasks limit 1')).length) await Bun.sleep(20)
  const file = join(folder(), 'b.backup')
  const taken = await place.run(['backup', file])
  const isStaged = (await imported(place)).length === 0
  run.kill('SIGKILL')
  await run.exited
  expect([taken.code, taken.err]).toEqual([0, expect.any(String)])
  expect(isStaged).toBe(true)
  const there = await ground()
  await there.json(['restore', file])
  const [left] = await rows(
    there,
    `select (select count(*) from teams) as teams, (select count(*) from tasks) as tasks,
      (select count(*) from actors where kind = 'person') as people`,
  )
  expect([left!.teams, left!.tasks, left!.people].map(Number)).toEqual([1, 0, 1])
}, 120_000)
