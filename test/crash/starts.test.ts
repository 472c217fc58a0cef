import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { binary } from '../../scripts/build.ts'
import { migrate } from '../../src/store/migrate.ts'
import { migrationsOf } from '../../src/store/migrations.ts'
import {
  cleanUp,
  createFolder,
  initDataFolder,
  runCommand,
  sendRequest,
  startServer,
} from '../binary/cork.ts'

afterAll(cleanUp)

const TRACE = /\n\s+at |\.ts:\d|SQLiteError/
const database = (data: string) => join(data, 'corkboard.db')
const NOBODY = 65_534
/** Root may read and write anything, so another account runs the command. */
const asNobody =
  process.getuid?.() === 0 ? ['setpriv', '--reuid', String(NOBODY), '--clear-groups'] : []

/** The error output of a server that does not start. */
async function expectRefusal(data: string, under: string[] = []): Promise<string> {
  const timeout = ['timeout', '--signal', 'KILL', '20']
  const serve = [binary, 'serve', '--data', data, '--port', '0']
  const run = await runCommand([...timeout, ...under, ...serve])
  expect([run.code, run.out]).toEqual([1, ''])
  expect(run.err).not.toMatch(TRACE)
  return run.err
}

/** A data folder with one board; `check` verifies that a server still returns it. */
async function createBoardData(): Promise<{
  data: string
  api_key: string
  check(): Promise<void>
}> {
  const { data, api_key, team_id } = await initDataFolder()
  const first = await startServer(data)
  const board = { team_id, title: 'Home', sections: [{ title: 'Open' }, { title: 'Done' }] }
  const response = await sendRequest(first.url, api_key, 'POST', '/api/v1/projects', board)
  expect(response.status).toBe(201)
  // A killed server does not checkpoint its write-ahead log, as after a power cut.
  await first.end('SIGKILL')
  return {
    data,
    api_key,
    async check() {
      const server = await startServer(data)
      const { body } = await sendRequest(server.url, api_key, 'GET', '/api/v1/projects')
      expect(body.data.map(({ title }: { title: string }) => title)).toEqual(['Home'])
      expect(await server.end()).toBe(0)
    },
  }
}

describe('cork serve starts', () => {
  test('with a torn write-ahead log that a crash left beside the database', async () => {
    const { data, check } = await createBoardData()
    expect(statSync(`${database(data)}-wal`).size).toBeGreaterThan(0)
    // A torn last frame of the log, and a shared-memory file that does not match it.
    appendFileSync(`${database(data)}-wal`, Buffer.alloc(3000, 0x5a))
    writeFileSync(`${database(data)}-shm`, Buffer.alloc(32_768, 0x5a))
    await check()
  })

  test('on a database of an older version, which it backs up and migrates', async () => {
    const migrations = migrationsOf('sqlite')
    const before = migrations.slice(0, -1)
    const data = join(createFolder(), 'data')
    mkdirSync(data)
    const older = new Database(database(data), { create: true, strict: true })
    migrate(older, database(data), new Date(), before)
    older.close()
    const server = await startServer(data)
    expect(await server.end()).toBe(0)
    const names = (path: string) => {
      const opened = new Database(path, { readonly: true })
      const rows = opened.query('select name from migrations order by name').values()
      opened.close()
      return rows.flat() as string[]
    }
    expect(names(database(data))).toEqual(migrations.map(({ name }) => name))
    const [copy, ...rest] = readdirSync(join(data, 'backups'))
    expect(rest).toEqual([])
    expect(copy).toStartWith(`before-${migrations.at(-1)!.name}-`)
    expect(names(join(data, 'backups', copy!))).toEqual(before.map(({ name }) => name))
  })

  test('in a folder with missing parents, which it creates for its own account only', async () => {
    const data = join(createFolder(), 'some', 'where', 'data')
    const server = await startServer(data)
    expect(statSync(data).mode & 0o777).toBe(0o700)
    expect(await server.end()).toBe(0)
  })

  test('with a new database if the database file is empty', async () => {
    const data = join(createFolder(), 'data')
    mkdirSync(data)
    writeFileSync(database(data), '')
    const server = await startServer(data)
    while (!server.out().includes('/setup?token=')) await Bun.sleep(20)
    expect(await server.end()).toBe(0)
  })
})

describe('cork serve refuses to start, and says what to do about', () => {
  test('an empty database whose write-ahead log contains writes, and leaves the log unchanged', async () => {
    const { data, check } = await createBoardData()
    const copy = join(createFolder(), 'aside.db')
    copyFileSync(database(data), copy)
    const log = readFileSync(`${database(data)}-wal`)
    truncateSync(database(data))
    const error = await expectRefusal(data)
    expect(error).toContain('is missing or empty')
    expect(error).toContain('Put the database back or restore a backup')
    expect(readFileSync(`${database(data)}-wal`)).toEqual(log)
    copyFileSync(copy, database(data))
    await check()
  })

  test('a truncated database, and leaves it unchanged', async () => {
    const { data } = await initDataFolder()
    truncateSync(database(data), 40_960)
    const before = readFileSync(database(data))
    const error = await expectRefusal(data)
    expect(error).toContain(`The database at ${database(data)} cannot be used`)
    expect(error).toContain('is damaged. Stop Corkboard, keep a copy')
    expect(error).toContain('restore the newest backup')
    expect(readFileSync(database(data))).toEqual(before)
  })

  test('a read-only database', async () => {
    const { data } = await initDataFolder()
    if (asNobody.length) for (const path of [data, ...files(data)]) chownSync(path, NOBODY, NOBODY)
    chmodSync(database(data), 0o444)
    const error = await expectRefusal(data, asNobody)
    expect(error).toContain(`The database at ${database(data)} cannot be used`)
    expect(error).toContain('Give that account read and write access to corkboard.db')
  })

  test('a read-only data folder', async () => {
    const { data } = await initDataFolder()
    for (const path of files(data)) chmodSync(path, 0o644)
    chmodSync(data, 0o555)
    const error = await expectRefusal(data, asNobody)
    expect(error).toContain(`The data folder ${data} cannot be used`)
    expect(error).toContain('Check that it is a folder this account may write to')
    chmodSync(data, 0o700)
  })

  test('a data folder that it may not create', async () => {
    const parent = createFolder()
    const error = await expectRefusal(join(parent, 'no', 'data'), asNobody)
    expect(error).toContain(`The data folder ${join(parent, 'no', 'data')} cannot be used`)
    expect(existsSync(join(parent, 'no'))).toBe(false)
  })

  test('a damaged lock file', async () => {
    const { data } = await initDataFolder()
    const path = join(data, 'serve.lock')
    writeFileSync(path, 'This is no lock. '.repeat(100))
    expect(await expectRefusal(data)).toContain(
      `${path} is damaged; delete it, it contains no data`,
    )
    rmSync(path)
    expect(await (await startServer(data)).end()).toBe(0)
  })

  test('a folder in place of the database', async () => {
    const data = join(createFolder(), 'data')
    mkdirSync(database(data), { recursive: true })
    expect(await expectRefusal(data)).toContain('the database file cannot be opened')
  })

  test('a full disk', async () => {
    const { data } = await initDataFolder()
    for (const blocks of [0, 8]) {
      const script = `trap "" XFSZ; ulimit -S -f ${blocks}; exec "$@"`
      const error = await expectRefusal(data, ['sh', '-c', script, 'sh'])
      expect(error).toContain('Check whether it is full (df)')
    }
    const server = await startServer(data)
    expect(await server.end()).toBe(0)
  })
})

const files = (data: string) => readdirSync(data).map((name) => join(data, name))
