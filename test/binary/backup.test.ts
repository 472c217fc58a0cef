import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { onPostgres } from '../support/postgres.ts'
import { cleanUp, createFolder, sendRequest } from './cork.ts'
import { createInstallation, createSqliteInstallation, type Installation } from './installation.ts'
import { allTasks, createBoard, startWriters } from './writers.ts'

afterAll(cleanUp)

const WRITERS = 16

async function startWithBoard(
  createTarget: () => Installation | Promise<Installation> = createSqliteInstallation,
) {
  const installation = await createTarget()
  const credentials = await installation.init()
  const server = await installation.serve()
  const project_id = await createBoard(server.url, credentials.api_key, credentials.team_id)
  const createTask = (title: string) =>
    sendRequest(server.url, credentials.api_key, 'POST', '/api/v1/tasks', { project_id, title })
  const titles = async () => [...(await allTasks(server.url, credentials.api_key)).values()].sort()
  return {
    ...installation,
    ...credentials,
    server,
    project_id,
    createTask,
    titles,
    file: join(createFolder(), 'b.backup'),
  }
}

/** The titles of the tasks in a database file that no server uses. */
function titlesIn(path: string): string[] {
  const database = new Database(path, { readonly: true })
  const rows = database.query<{ title: string }, []>('select title from tasks').all()
  database.close()
  return rows.map(({ title }) => title)
}

describe('cork backup', () => {
  test('under load contains every write acknowledged before it began, and writers go on', async () => {
    const { run, api_key, server, project_id, file } = await startWithBoard(createInstallation)
    const writers = startWriters(server.url, api_key, project_id, WRITERS)
    const { acknowledged } = writers
    const waitForWrites = async (count: number) => {
      while (acknowledged.length < count) await Bun.sleep(20)
    }
    await waitForWrites(300)
    const startedAt = performance.now()
    const backup = await run(['backup', file])
    const endedAt = performance.now()
    expect([backup.code, backup.out]).toEqual([0, expect.stringContaining('was verified')])
    // Writers are not refused during the backup or after it.
    await waitForWrites(acknowledged.length + 50)
    await writers.stop()
    expect(writers.failures).toEqual([])
    const before = acknowledged.filter(({ at }) => at < startedAt)
    expect(acknowledged.filter(({ at }) => at > startedAt && at < endedAt)).not.toBeEmpty()
    expect(before.length).toBeGreaterThanOrEqual(300)
    const rate = before.length / ((startedAt - (acknowledged[0]?.at ?? 0)) / 1000)
    console.log(`backup among ${Math.round(rate)} creates a second: ${before.length} before it`)
    expect(await server.end()).toBe(0)

    const target = createSqliteInstallation()
    expect(await target.run(['restore', file])).toMatchObject({ code: 0 })
    const restoredServer = await target.serve()
    const restoredTitles = await allTasks(restoredServer.url, api_key)
    for (const { ticket_number, title } of before)
      expect(restoredTitles.get(ticket_number)).toBe(title)
    const { status } = await sendRequest(restoredServer.url, api_key, 'POST', '/api/v1/tasks', {
      ...{ project_id, title: 'The next one' },
    })
    expect(status).toBe(201)
    expect(await restoredServer.end()).toBe(0)
    const database = new Database(join(target.data, 'corkboard.db'), { readonly: true })
    expect(database.query('PRAGMA integrity_check').values()).toEqual([['ok']])
    expect(database.query('PRAGMA foreign_key_check').values()).toEqual([])
    // A task without its change would show that the backup mixes two points in time.
    const tasksWithoutChange = `select count(*) from tasks left join changes using (task_id)
      where changes.seq is null or changes.type <> 'task.created'`
    expect(database.query(tasksWithoutChange).values()).toEqual([[0]])
    database.close()
  })

  test('refuses to overwrite a file without --force and leaves no partial file', async () => {
    const { run, init, data } = createSqliteInstallation()
    await init()
    const file = join(data, '..', 'b.backup')
    writeFileSync(file, 'precious')
    const result = await run(['backup', file])
    expect([result.code, result.err]).toEqual([1, expect.stringContaining('--force')])
    expect(readFileSync(file, 'utf8')).toBe('precious')
    expect((await run(['backup', file, '--force'])).code).toBe(0)
    const missingFolder = await run(['backup', join(data, 'no', 'where')])
    expect([missingFolder.code, missingFolder.err]).toEqual([
      1,
      expect.stringContaining('folder exists'),
    ])
    expect(readdirSync(join(data, '..')).sort()).toEqual(['b.backup', 'data'])
  })
})

// Only a data folder can be restored while its server runs; PostgreSQL needs all servers stopped.
describe.skipIf(onPostgres)('cork restore', () => {
  test('replaces the data of a running server, which goes on serving exactly the backup', async () => {
    const {
      run,
      runJson: json,
      createTask,
      titles,
      server,
      api_key,
      mcp_token,
      file,
      data,
    } = await startWithBoard()
    for (const title of ['One', 'Two']) await createTask(title)
    await json(['backup', file])
    await createTask('Three')
    const newToken = await json(['token', 'create', '--user', 'ada@example.com'])
    const statusFor = async (secret: string) =>
      (await sendRequest(server.url, secret, 'GET', '/api/v1/user/context')).status
    expect(await statusFor(newToken.secret)).toBe(200)
    const restored = await run(['restore', file])
    expect([restored.code, restored.out]).toEqual([0, expect.stringContaining(server.url)])
    expect(await titles()).toEqual(['One', 'Two'])
    expect([
      await statusFor(newToken.secret),
      await statusFor(api_key),
      await statusFor(mcp_token),
    ]).toEqual([...[401, 200, 200]])
    expect((await createTask('Other three')).body.data.title).toBe('Other three')
    const [asideName] = readdirSync(join(data, 'backups'))
    const oldDatabase = join(data, 'backups', asideName!, 'corkboard.db')
    expect(existsSync(join(data, 'restore'))).toBe(false)
    // The replaced data is kept aside and can be restored in the same way.
    expect((await run(['restore', oldDatabase])).code).toBe(0)
    expect(await titles()).toEqual(['One', 'Three', 'Two'])
    expect(await server.end()).toBe(0)
  })

  test('makes search find only what the backup contains', async () => {
    const { run, runJson: json, createTask, server, api_key, file } = await startWithBoard()
    const { task_id } = (await createTask('One')).body.data
    const setDescription = (description: string) =>
      sendRequest(server.url, api_key, 'PATCH', `/api/v1/tasks/${task_id}`, { description })
    const search = async (query: string): Promise<string[]> => {
      const path = `/api/v1/search/semantic?query=${query}`
      const { body } = await sendRequest(server.url, api_key, 'GET', path)
      return body.data.map(({ text }: { text: string }) => text)
    }
    const waitUntilFound = async (query: string) => {
      while (!(await search(query)).join().includes(query)) await Bun.sleep(50)
    }
    await setDescription('Where the cranes stand')
    await json(['backup', file])
    await setDescription('Where the lighthouse is')
    await waitUntilFound('lighthouse')
    expect((await run(['restore', file])).code).toBe(0)
    await waitUntilFound('cranes')
    expect(await search('lighthouse')).toEqual([])
    expect(await server.end()).toBe(0)
  })

  test('loses no acknowledged write: each is in the old data or in the restored data', async () => {
    const { runJson: json, server, api_key, project_id, file, run, data } = await startWithBoard()
    await json(['backup', file])
    const writers = startWriters(server.url, api_key, project_id, 4)
    await Bun.sleep(200)
    expect((await run(['restore', file])).code).toBe(0)
    const { acknowledged } = writers
    await writers.stop().catch(() => {})
    expect(await server.end()).toBe(0)
    const [asideName] = readdirSync(join(data, 'backups'))
    const savedTitles = new Set([
      ...titlesIn(join(data, 'backups', asideName!, 'corkboard.db')),
      ...titlesIn(join(data, 'corkboard.db')),
    ])
    expect(acknowledged.length).toBeGreaterThan(10)
    for (const { title } of acknowledged) expect(savedTitles).toContain(title)
  })

  test('interrupted by a crash at any step is completed at the next start', async () => {
    const {
      run,
      runJson: json,
      createTask,
      server,
      api_key,
      file,
      data,
      serve,
    } = await startWithBoard()
    await createTask('One')
    await json(['backup', file])
    await createTask('Two')
    // The suspended server cannot take over the backup before it is killed.
    process.kill(server.pid, 'SIGSTOP')
    const restoring = run(['restore', file])
    while (!existsSync(join(data, 'restore'))) await Bun.sleep(20)
    await server.end('SIGKILL')
    const steps: ((at: string) => void)[] = [
      () => {},
      (path) => renameSync(join(path, 'restore/signing.key'), join(path, 'signing.key')),
      (path) => {
        for (const name of readdirSync(path).filter((name) => name.startsWith('corkboard.db')))
          renameSync(join(path, name), join(path, 'backups', name))
      },
      (path) => renameSync(join(path, 'restore/corkboard.db'), join(path, 'corkboard.db')),
    ]
    for (const [stepIndex] of steps.entries()) {
      const copy = createSqliteInstallation()
      cpSync(data, copy.data, { recursive: true })
      mkdirSync(join(copy.data, 'backups'), { recursive: true })
      for (const step of steps.slice(0, stepIndex + 1)) step(copy.data)
      const restarted = await copy.serve()
      expect([...(await allTasks(restarted.url, api_key)).values()]).toEqual(['One'])
      expect(existsSync(join(copy.data, 'restore'))).toBe(false)
      expect(await restarted.end()).toBe(0)
      // The old data is complete as well, including what was only in its write-ahead log.
      const [oldDatabase] = new Bun.Glob('backups/**/corkboard.db').scanSync({ cwd: copy.data })
      expect(titlesIn(join(copy.data, oldDatabase!)).sort()).toEqual(['One', 'Two'])
    }
    const restarted = await serve()
    expect([...(await allTasks(restarted.url, api_key)).values()]).toEqual(['One'])
    expect((await restoring).code).toBe(0)
    expect(await restarted.end()).toBe(0)
  })
})
