import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { binary } from '../../scripts/build.ts'
import { Random } from '../crash/random.ts'
import { scaleCount } from '../support/scale.ts'
import { cleanUp, createFolder, executableEnv, runCommand, sendRequest } from './cork.ts'
import { exportLines, exportText } from './export-lines.ts'
import { createInstallation, type Installation } from './installation.ts'
import { createBoard } from './writers.ts'

afterAll(cleanUp)

const TASKS = 1000
/** All tasks of the file: its other board has a tenth as many. */
const ALL_TASKS = TASKS * 1.1
const KILLS = scaleCount(4, 40)
const TEAM = 'Häfen ⚓'

function writeExport(): string {
  const path = join(createFolder(), 'team.jsonl')
  writeFileSync(path, exportText(exportLines(TASKS)))
  return path
}

async function startImport(installation: Installation, path: string) {
  const command = ['import', path, '--data', installation.data]
  return Bun.spawn([binary, ...command], {
    env: await executableEnv(command, installation.env),
    stdout: 'ignore',
    stderr: 'pipe',
  })
}

/** Reads rows directly from the database. */
async function query(
  installation: Installation,
  sql: string,
): Promise<Record<string, number | string>[]> {
  if (installation.env.DATABASE_URL) {
    const client = new Client(installation.env.DATABASE_URL)
    await client.connect()
    const { rows } = await client.query(sql)
    await client.end()
    return rows
  }
  const database = new Database(join(installation.data, 'corkboard.db'))
  database.run('pragma busy_timeout=10000')
  const result = database.query(sql).all()
  database.close()
  return result as never
}

/** The number of tasks of each team of that name that has members. */
async function importedTaskCounts(installation: Installation): Promise<number[]> {
  const teams = await query(
    installation,
    `select (select count(*) from tasks where tasks.team_id = teams.team_id) as many from teams
     where name = '${TEAM}' and team_id in (select team_id from members)`,
  )
  return teams.map(({ many }) => Number(many))
}

test('an import killed at any moment is complete or absent, and leftover rows are removed', async () => {
  const installation = await createInstallation()
  const { api_key } = await installation.init()
  const server = await installation.serve()
  const path = writeExport()
  const random = new Random(Number(process.env.CORK_TEST_SEED ?? 7))
  const startedAt = performance.now()
  expect(await (await startImport(installation, path)).exited).toBe(0)
  const duration = performance.now() - startedAt
  for (let kill = 0; kill < KILLS; kill++) {
    const run = await startImport(installation, path)
    await Bun.sleep(random.next() * duration)
    run.kill('SIGKILL')
    await run.exited
    expect(new Set(await importedTaskCounts(installation))).toEqual(new Set([ALL_TASKS]))
    expect((await sendRequest(server.url, api_key, 'GET', '/api/v1/teams')).status).toBe(200)
  }
  const importedTeams = (await importedTaskCounts(installation)).length
  // Lets the staged imports expire.
  const past = installation.env.DATABASE_URL ? "'2020-01-01'" : '0'
  await query(installation, `update imports set expires_at = ${past} returning team_id`)
  const deadline = Date.now() + 240_000
  while ((await query(installation, 'select team_id from imports')).length && Date.now() < deadline)
    await Bun.sleep(200)
  expect(await query(installation, 'select team_id from imports')).toEqual([])
  const [counts] = await query(
    installation,
    'select (select count(*) from teams) as teams, (select count(*) from tasks) as tasks',
  )
  expect([Number(counts!.teams), Number(counts!.tasks)]).toEqual([
    1 + importedTeams,
    importedTeams * ALL_TASKS,
  ])
  expect(await server.end()).toBe(0)
  expect((await installation.run(['doctor'])).out).toContain('text index: has all')
}, 600_000)

test('an imported team appears with all its tasks at once, and reads and writes go on', async () => {
  const installation = await createInstallation()
  const { api_key, team_id } = await installation.init()
  const server = await installation.serve()
  const get = async (path: string) => (await sendRequest(server.url, api_key, 'GET', path)).body
  const run = await startImport(installation, writeExport())
  let isFinished = false
  void run.exited.then(() => {
    isFinished = true
  })
  const totals = new Set<number>()
  const countTeams = async () => (await get('/api/v1/teams')).data.length
  while (!isFinished) {
    expect(await createBoard(server.url, api_key, team_id)).toBeGreaterThan(0)
    const teamsBefore = await countTeams()
    const { page } = await get('/api/v1/tasks')
    // The team may appear between the two requests, so it is only absent if it is absent after both.
    if (teamsBefore > 1) totals.add(page.total)
    else if ((await countTeams()) === 1) expect(page.total).toBe(0)
    await Bun.sleep(5)
  }
  expect(await run.exited).toBe(0)
  const { page } = await get('/api/v1/tasks')
  totals.add(page.total)
  expect(page.total).toBeGreaterThan(TASKS / 4)
  expect([...totals]).toEqual([page.total])
  expect(await server.end()).toBe(0)
})

test('Ctrl-C ends an import and removes what it wrote, and the next import works', async () => {
  const installation = await createInstallation()
  await installation.init()
  const run = await startImport(installation, writeExport())
  while (!(await query(installation, 'select team_id from imports')).length) await Bun.sleep(20)
  run.kill('SIGINT')
  expect(await run.exited).toBe(130)
  expect(await new Response(run.stderr).text()).toContain('Interrupted: nothing was imported')
  const [counts] = await query(
    installation,
    'select (select count(*) from teams) as teams, (select count(*) from tasks) as tasks',
  )
  expect([Number(counts!.teams), Number(counts!.tasks)]).toEqual([1, 0])
  const nextImport = await runCommand(
    [binary, 'import', writeExport(), '--data', installation.data],
    {
      env: await executableEnv(['--data', installation.data], installation.env),
    },
  )
  expect(nextImport.code).toBe(0)
})

test('a backup made during an import contains nothing of it', async () => {
  const installation = await createInstallation()
  await installation.init()
  const run = await startImport(installation, writeExport())
  while (!(await query(installation, 'select task_id from tasks limit 1')).length)
    await Bun.sleep(20)
  const file = join(createFolder(), 'b.backup')
  const backup = await installation.run(['backup', file])
  const isStaged = (await importedTaskCounts(installation)).length === 0
  run.kill('SIGKILL')
  await run.exited
  expect([backup.code, backup.err]).toEqual([0, expect.any(String)])
  expect(isStaged).toBe(true)
  const target = await createInstallation()
  await target.runJson(['restore', file])
  const [counts] = await query(
    target,
    `select (select count(*) from teams) as teams, (select count(*) from tasks) as tasks,
      (select count(*) from actors where kind = 'person') as people`,
  )
  expect([counts!.teams, counts!.tasks, counts!.people].map(Number)).toEqual([1, 0, 1])
})
