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
import { onPostgres } from '../server.ts'
import { ask, folder, sweep } from './cork.ts'
import { type Ground, ground, inFolder } from './ground.ts'
import { allTasks, boardIn, write } from './writers.ts'

afterAll(sweep)

const WRITERS = 16

async function served(place: () => Ground | Promise<Ground> = inFolder) {
  const at = await place()
  const made = await at.init()
  const server = await at.serve()
  const project_id = await boardIn(server.url, made.api_key, made.team_id)
  const task = (title: string) =>
    ask(server.url, made.api_key, 'POST', '/api/v1/tasks', { project_id, title })
  const titles = async () => [...(await allTasks(server.url, made.api_key)).values()].sort()
  return { ...at, ...made, server, project_id, task, titles, file: join(folder(), 'b.backup') }
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
    const { run, api_key, server, project_id, file } = await served(ground)
    const writers = write(server.url, api_key, project_id, WRITERS)
    const { acknowledged } = writers
    const until = async (many: number) => {
      while (acknowledged.length < many) await Bun.sleep(20)
    }
    await until(300)
    const began = performance.now()
    const made = await run(['backup', file])
    const ended = performance.now()
    expect([made.code, made.out]).toEqual([0, expect.stringContaining('was verified')])
    // Writers are not refused during the backup or after it.
    await until(acknowledged.length + 50)
    await writers.stop()
    expect(writers.refused).toEqual([])
    const before = acknowledged.filter(({ at }) => at < began)
    expect(acknowledged.filter(({ at }) => at > began && at < ended)).not.toBeEmpty()
    expect(before.length).toBeGreaterThanOrEqual(300)
    const rate = before.length / ((began - (acknowledged[0]?.at ?? 0)) / 1000)
    console.log(`backup among ${Math.round(rate)} creates a second: ${before.length} before it`)
    expect(await server.end()).toBe(0)

    const other = inFolder()
    expect(await other.run(['restore', file])).toMatchObject({ code: 0 })
    const second = await other.serve()
    const kept = await allTasks(second.url, api_key)
    for (const { ticket_number, title } of before) expect(kept.get(ticket_number)).toBe(title)
    const { status } = await ask(second.url, api_key, 'POST', '/api/v1/tasks', {
      ...{ project_id, title: 'The next one' },
    })
    expect(status).toBe(201)
    expect(await second.end()).toBe(0)
    const database = new Database(join(other.data, 'corkboard.db'), { readonly: true })
    expect(database.query('PRAGMA integrity_check').values()).toEqual([['ok']])
    expect(database.query('PRAGMA foreign_key_check').values()).toEqual([])
    // A task without its change would show that the backup mixes two points in time.
    const torn = `select count(*) from tasks left join changes using (task_id)
      where changes.seq is null or changes.type <> 'task.created'`
    expect(database.query(torn).values()).toEqual([[0]])
    database.close()
  }, 60_000)

  test('refuses to overwrite a file without --force and leaves no partial file', async () => {
    const { run, init, data } = inFolder()
    await init()
    const file = join(data, '..', 'b.backup')
    writeFileSync(file, 'precious')
    const refused = await run(['backup', file])
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('--force')])
    expect(readFileSync(file, 'utf8')).toBe('precious')
    expect((await run(['backup', file, '--force'])).code).toBe(0)
    const nowhere = await run(['backup', join(data, 'no', 'where')])
    expect([nowhere.code, nowhere.err]).toEqual([1, expect.stringContaining('folder exists')])
    expect(readdirSync(join(data, '..')).sort()).toEqual(['b.backup', 'data'])
  })
})

// Only a data folder can be restored while its server runs; PostgreSQL needs all servers stopped.
describe.skipIf(onPostgres)('cork restore', () => {
  test('replaces the data of a running server, which goes on serving exactly the backup', async () => {
    const { run, json, task, titles, server, api_key, mcp_token, file, data } = await served()
    for (const title of ['One', 'Two']) await task(title)
    await json(['backup', file])
    await task('Three')
    const late = await json(['token', 'create', '--user', 'ada@example.com'])
    const may = async (secret: string) =>
      (await ask(server.url, secret, 'GET', '/api/v1/user/context')).status
    expect(await may(late.secret)).toBe(200)
    const restored = await run(['restore', file])
    expect([restored.code, restored.out]).toEqual([0, expect.stringContaining(server.url)])
    expect(await titles()).toEqual(['One', 'Two'])
    expect([await may(late.secret), await may(api_key), await may(mcp_token)]).toEqual([
      ...[401, 200, 200],
    ])
    expect((await task('Other three')).body.data.title).toBe('Other three')
    const [aside] = readdirSync(join(data, 'backups'))
    const old = join(data, 'backups', aside!, 'corkboard.db')
    expect(existsSync(join(data, 'restore'))).toBe(false)
    // The replaced data is kept aside and can be restored in the same way.
    expect((await run(['restore', old])).code).toBe(0)
    expect(await titles()).toEqual(['One', 'Three', 'Two'])
    expect(await server.end()).toBe(0)
  }, 30_000)

  test('makes search find only what the backup contains', async () => {
    const { run, json, task, server, api_key, file } = await served()
    const { task_id } = (await task('One')).body.data
    const says = (description: string) =>
      ask(server.url, api_key, 'PATCH', `/api/v1/tasks/${task_id}`, { description })
    const found = async (query: string): Promise<string[]> => {
      const path = `/api/v1/search/semantic?query=${query}`
      const { body } = await ask(server.url, api_key, 'GET', path)
      return body.data.map(({ text }: { text: string }) => text)
    }
    const untilFound = async (query: string) => {
      while (!(await found(query)).join().includes(query)) await Bun.sleep(50)
    }
    await says('Where the cranes stand')
    await json(['backup', file])
    await says('Where the lighthouse is')
    await untilFound('lighthouse')
    expect((await run(['restore', file])).code).toBe(0)
    await untilFound('cranes')
    expect(await found('lighthouse')).toEqual([])
    expect(await server.end()).toBe(0)
  }, 30_000)

  test('loses no acknowledged write: each is in the old data or in the restored data', async () => {
    const { json, server, api_key, project_id, file, run, data } = await served()
    await json(['backup', file])
    const writers = write(server.url, api_key, project_id, 4)
    await Bun.sleep(200)
    expect((await run(['restore', file])).code).toBe(0)
    const { acknowledged } = writers
    await writers.stop().catch(() => {})
    expect(await server.end()).toBe(0)
    const [aside] = readdirSync(join(data, 'backups'))
    const kept = new Set([
      ...titlesIn(join(data, 'backups', aside!, 'corkboard.db')),
      ...titlesIn(join(data, 'corkboard.db')),
    ])
    expect(acknowledged.length).toBeGreaterThan(10)
    for (const { title } of acknowledged) expect(kept).toContain(title)
  }, 30_000)

  test('interrupted by a crash at any step is completed at the next start', async () => {
    const { run, json, task, server, api_key, file, data, serve } = await served()
    await task('One')
    await json(['backup', file])
    await task('Two')
    // The suspended server cannot take over the backup before it is killed.
    process.kill(server.pid, 'SIGSTOP')
    const waiting = run(['restore', file])
    while (!existsSync(join(data, 'restore'))) await Bun.sleep(20)
    await server.end('SIGKILL')
    const steps: ((at: string) => void)[] = [
      () => {},
      (at) => renameSync(join(at, 'restore/signing.key'), join(at, 'signing.key')),
      (at) => {
        for (const name of readdirSync(at).filter((name) => name.startsWith('corkboard.db')))
          renameSync(join(at, name), join(at, 'backups', name))
      },
      (at) => renameSync(join(at, 'restore/corkboard.db'), join(at, 'corkboard.db')),
    ]
    for (const [crashed] of steps.entries()) {
      const copy = inFolder()
      cpSync(data, copy.data, { recursive: true })
      mkdirSync(join(copy.data, 'backups'), { recursive: true })
      for (const step of steps.slice(0, crashed + 1)) step(copy.data)
      const next = await copy.serve()
      expect([...(await allTasks(next.url, api_key)).values()]).toEqual(['One'])
      expect(existsSync(join(copy.data, 'restore'))).toBe(false)
      expect(await next.end()).toBe(0)
      // The old data is complete as well, including what was only in its write-ahead log.
      const [old] = new Bun.Glob('backups/**/corkboard.db').scanSync({ cwd: copy.data })
      expect(titlesIn(join(copy.data, old!)).sort()).toEqual(['One', 'Two'])
    }
    const next = await serve()
    expect([...(await allTasks(next.url, api_key)).values()]).toEqual(['One'])
    expect((await waiting).code).toBe(0)
    expect(await next.end()).toBe(0)
  }, 60_000)
})
