import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { binary } from '../../scripts/build.ts'
import { onPostgres } from '../support/postgres.ts'
import {
  cleanUp,
  cork,
  createFolder,
  executableEnv,
  initDataFolder,
  runCommand,
  sendRequest,
  startServer,
} from './cork.ts'

afterAll(cleanUp)

const TRACE = /\n\s+at |\.ts:\d|SQLiteError/
const board = { title: 'Home', sections: [{ title: 'Open' }, { title: 'Done' }] }
const database = (data: string) => join(data, 'corkboard.db')

// On PostgreSQL the data folder contains no database, so these tests do not apply.
const testOnSqlite = test.skipIf(onPostgres)

/** The exit code and error output of a server that does not start. */
async function expectRefusal(data: string, args: string[] = [], env: Record<string, string> = {}) {
  const { out, err, code } = await cork(['serve', '--data', data, '--port', '0', ...args], { env })
  expect(out).toBe('')
  expect(err).not.toMatch(TRACE)
  return { code, err }
}

interface Passage {
  source: { kind: string; title: string }
}

describe('cork serve', () => {
  test('keeps an acknowledged write after kill -9', async () => {
    const { data, api_key, team_id } = await initDataFolder()
    const first = await startServer(data)
    const created = await sendRequest(first.url, api_key, 'POST', '/api/v1/projects', {
      ...board,
      team_id,
    })
    expect(created.status).toBe(201)
    expect(await first.end('SIGKILL')).toBe(137)
    const second = await startServer(data)
    const { body } = await sendRequest(second.url, api_key, 'GET', '/api/v1/projects')
    expect(body.data.map(({ title }: { title: string }) => title)).toEqual(['Home'])
    expect(await second.end()).toBe(0)
  })

  testOnSqlite(
    'refuses a data folder that another server uses, and names its process and address',
    async () => {
      const { data } = await initDataFolder()
      const first = await startServer(data)
      for (const { code, err } of [
        await expectRefusal(data),
        await cork([
          'init',
          '--email',
          'b@example.com',
          '--name',
          'B',
          '--team',
          'T',
          '--data',
          data,
        ]),
      ]) {
        expect(code).toBe(1)
        expect(err).toContain(`process ${first.pid}, at ${first.url}`)
        expect(err).toContain('--data')
      }
      expect(await first.end()).toBe(0)
    },
  )

  test('refuses a port that is in use', async () => {
    const first = await startServer(join(createFolder(), 'data'))
    const { port } = new URL(first.url)
    const { code, err } = await expectRefusal(join(createFolder(), 'data'), ['--port', port])
    expect(code).toBe(1)
    expect(err).toContain(`Port ${port} on 127.0.0.1 is in use`)
    expect(err).toContain('--port')
    expect(await first.end()).toBe(0)
  })

  test('prints a working set-up link on an empty database and does not log its token', async () => {
    const server = await startServer(join(createFolder(), 'data'))
    await Bun.sleep(200)
    const link = /(http\S+\/setup\?token=\S+)/.exec(server.out())?.[1]
    expect((await fetch(link!)).status).toBe(200)
    expect(await server.end()).toBe(0)
    expect(await server.err()).not.toContain(new URL(link!).searchParams.get('token')!)
  })

  test('with --json prints its address and the set-up link as JSON', async () => {
    const args = ['serve', '--json', '--port', '0', '--data', join(createFolder(), 'data')]
    const run = Bun.spawn([binary, ...args], {
      env: await executableEnv(args),
      stdout: 'pipe',
      stderr: 'ignore',
    })
    const { value } = await run.stdout.getReader().read()
    const { url, setup_link } = JSON.parse(new TextDecoder().decode(value))
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect(setup_link).toStartWith(`${url}/setup?token=`)
    run.kill()
    expect(await run.exited).toBe(0)
  })

  test('answers open requests, ends its streams and exits with 0 on SIGTERM', async () => {
    const { data, api_key } = await initDataFolder()
    const server = await startServer(data)
    const headers = { authorization: `Bearer ${api_key}` }
    const stream = await fetch(`${server.url}/api/v1/events`, { headers })
    expect(stream.status).toBe(200)
    let answeredCount = 0
    // Checking a password is slow on purpose, so these requests are open when the signal comes.
    const signIns = Array.from({ length: 8 }, async (_, at) => {
      const form = new URLSearchParams({
        email: `a${at}@example.com`,
        password: 'not the password',
      })
      const response = await fetch(`${server.url}/sign-in`, {
        method: 'POST',
        headers: { origin: server.url, 'sec-fetch-site': 'same-origin' },
        body: form,
      })
      answeredCount++
      return response.text()
    })
    // By the first answer, the server has received the other requests too.
    while (answeredCount === 0) await Bun.sleep(5)
    const before = answeredCount
    const startedAt = performance.now()
    const code = server.end('SIGTERM')
    const pages = await Promise.all(signIns)
    await stream.text()
    expect(before).toBeLessThan(8)
    for (const page of pages) expect(page).toContain('<form')
    expect(await code).toBe(0)
    expect(performance.now() - startedAt).toBeLessThan(9_000)
    await expect(fetch(server.url)).rejects.toThrow()
  })

  test('exits at once on a second SIGTERM, and after ten seconds on a single one', async () => {
    const { data, api_key } = await initDataFolder()
    const startWithOpenRequest = async () => {
      const server = await startServer(data)
      const { hostname, port } = new URL(server.url)
      const requestHead = `POST /api/v1/projects HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api_key}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`
      const socket = await Bun.connect({ hostname, port: Number(port), socket: { data() {} } })
      socket.write(requestHead)
      // Nothing tells when the server has read the head, which takes long on a busy machine.
      await Bun.sleep(1500)
      return server
    }
    const signalledTwice = await startWithOpenRequest()
    const startedAt = performance.now()
    const code = signalledTwice.end('SIGTERM')
    await Bun.sleep(800)
    void signalledTwice.end('SIGTERM')
    expect(await code).toBe(1)
    expect(performance.now() - startedAt).toBeLessThan(9_000)

    const signalledOnce = await startWithOpenRequest()
    const signalledAt = performance.now()
    expect(await signalledOnce.end('SIGTERM')).toBe(0)
    expect(performance.now() - signalledAt).toBeWithin(9_000, 30_000)
    expect(await signalledOnce.err()).toContain('cut off')
  })

  test('with --demo creates data and a working agent token, but only in an empty database', async () => {
    const data = join(createFolder(), 'data')
    const first = await startServer(data, { args: ['--demo'] })
    while (!first.out().includes('None of these is shown again')) await Bun.sleep(20)
    const token = /Agent token +(\S+)/.exec(first.out())?.[1]
    const { body } = await sendRequest(first.url, token!, 'GET', '/api/v1/tasks?limit=50')
    expect(body.data.length).toBeGreaterThan(5)
    expect(first.out()).toContain(`"url": "${first.url}/mcp"`)
    const searchPath =
      '/api/v1/search/semantic?query=downloads%20are%20slow%20because%20of%20totals'
    // The index takes in new texts one after the other.
    const titles = async (): Promise<string[]> =>
      (await sendRequest(first.url, token!, 'GET', searchPath)).body.data
        .filter(({ source }: Passage) => source.kind === 'page')
        .map(({ source }: Passage) => source.title)
    while (!(await titles()).includes('Why large exports time out')) await Bun.sleep(20)
    expect(await first.end()).toBe(0)
    const second = await startServer(data, { args: ['--demo'] })
    while (!second.out().includes('already in use')) await Bun.sleep(20)
    expect(await second.end('SIGINT')).toBe(0)
  })

  testOnSqlite(
    'gives only its own account access to the folder, the database and the signing key',
    async () => {
      const { data } = await initDataFolder()
      const modes = ['', 'corkboard.db', 'signing.key'].map(
        (file) => statSync(join(data, file)).mode & 0o77,
      )
      expect(modes).toEqual([0, 0, 0])
    },
  )
})

describe('cork serve says what to do about', () => {
  test('a data folder that it cannot write to', async () => {
    const data = createFolder()
    chmodSync(data, 0o555)
    // Root may write anywhere, so another account runs the command.
    const asNobody =
      process.getuid?.() === 0 ? ['setpriv', '--reuid', '65534', '--clear-groups'] : []
    const run = await runCommand([...asNobody, binary, 'serve', '--data', data, '--port', '0'])
    expect([run.code, run.out]).toEqual([1, ''])
    expect(run.err).toContain(`The data folder ${data} cannot be used`)
    expect(run.err).not.toMatch(TRACE)
  })

  testOnSqlite('a file in place of the data folder', async () => {
    const data = join(createFolder(), 'file')
    writeFileSync(data, 'not a folder')
    const { code, err } = await expectRefusal(data)
    expect([code, err]).toEqual([1, expect.stringContaining('Check that it is a folder')])
  })

  testOnSqlite('a database of a newer version', async () => {
    const { data } = await initDataFolder()
    const newer = new Database(database(data))
    newer.run("insert into migrations values ('9999_future', 1)")
    newer.close()
    const { code, err } = await expectRefusal(data)
    expect([code, err]).toEqual([1, expect.stringContaining('newer cork (migration 9999_future)')])
  })

  testOnSqlite('a file that is not a database, which it leaves unchanged', async () => {
    const data = join(createFolder(), 'data')
    mkdirSync(data)
    writeFileSync(database(data), 'This is no database. '.repeat(500))
    const before = readFileSync(database(data))
    const { code, err } = await expectRefusal(data)
    expect([code, err]).toEqual([1, expect.stringContaining('cannot be used')])
    expect(readFileSync(database(data))).toEqual(before)
  })

  testOnSqlite('a truncated database', async () => {
    const { data } = await initDataFolder()
    truncateSync(database(data), 5_000)
    const { code, err } = await expectRefusal(data)
    expect([code, err]).toEqual([1, expect.stringContaining(database(data))])
  })

  test('invalid settings and an address it cannot listen on', async () => {
    const data = join(createFolder(), 'data')
    const cases: [string[], Record<string, string>, string][] = [
      [['--port', '70000'], {}, '--port must be a whole number from 0 to 65535'],
      [['--port=-1'], {}, '--port'],
      [[], { CORK_URL: 'board.example.com' }, 'CORK_URL'],
      [[], { CORK_RATE_LIMIT_BASE: 'many' }, 'CORK_RATE_LIMIT_BASE'],
      [[], { CORK_LOG_LEVEL: 'loud' }, 'CORK_LOG_LEVEL must be one of'],
    ]
    for (const [args, env, message] of cases) {
      const { code, err } = await expectRefusal(data, args, env)
      expect([args, env, code]).toEqual([args, env, 2])
      expect(err).toContain(message)
    }
    const { code, err } = await expectRefusal(data, ['--host', '203.0.113.1'])
    expect([code, err]).toEqual([1, expect.stringContaining('Cannot listen on 203.0.113.1')])
  })
})
