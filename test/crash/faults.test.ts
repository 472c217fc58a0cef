import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanUp, createFolder, initDataFolder, sendRequest, startServer } from '../binary/cork.ts'
import { SMALL_DISK, setFileSizeLimit, withLimit } from '../binary/disk.ts'

afterAll(cleanUp)

const DISK_ERROR = 'the disk cannot be read or written'

const sections = [{ title: 'To do' }, { title: 'Done' }]

async function startWithBoard(options: Parameters<typeof startServer>[1]) {
  const owner = await initDataFolder()
  const server = await startServer(owner.data, options)
  const call = (method: string, path: string, body?: unknown) =>
    sendRequest(server.url, owner.api_key, method, path, body)
  const { team_id } = owner
  const board = await call('POST', '/api/v1/projects', { team_id, title: 'Home', sections })
  const { project_id } = board.body.data
  const create = (title: string) =>
    call('POST', '/api/v1/tasks', { project_id, title, description: 'x'.repeat(10_000) })
  return { ...owner, server, call, create, project_id }
}

const titlesIn = (data: string) => {
  const database = new Database(join(data, 'corkboard.db'), { readonly: true })
  const rows = database.query('select title from tasks order by title').all()
  expect(database.query('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  database.close()
  return rows.map((row) => (row as { title: string }).title)
}

type BoardSetup = Awaited<ReturnType<typeof startWithBoard>>

/** Eight writers create tasks at once, until each was refused five times. */
async function fillDisk({ create }: Pick<BoardSetup, 'create'>, name: string) {
  const created: string[] = []
  const refused: Awaited<ReturnType<typeof sendRequest>>[] = []
  const writers = Array.from({ length: 8 }, async (_, index) => {
    for (let at = 0, refusals = 0; refusals < 5 && at < 500; at++) {
      const title = `${name} ${index} ${at}`
      const response = await create(title)
      if (response.status === 201) created.push(title)
      else refusals += refused.push(response) && 1
    }
  })
  await Promise.all(writers)
  return { created, refused }
}

describe('on a full disk', () => {
  test('writes are refused with the reason, reads go on, and no acknowledged write is lost', async () => {
    const setup = await startWithBoard({ launcher: SMALL_DISK })
    const { server, call, data } = setup
    const first = await fillDisk(setup, 'first')
    expect(first.created.length).toBeGreaterThan(0)
    for (const { status, body } of first.refused) {
      expect([status, body.success, body.error]).toEqual([503, false, 'Not available now'])
      expect(body.message).toBe(
        `The database cannot be written now: ${DISK_ERROR}. Nothing was changed`,
      )
      expect(body.hint).toContain('request_id')
      expect(body.request_id).toMatch(/^[\w-]{36}$/)
    }
    expect((await call('GET', '/api/v1/tasks')).status).toBe(200)
    expect((await call('GET', '/healthz')).body).toEqual({ status: 'ok' })
    const ready = await call('GET', '/readyz')
    expect([ready.status, ready.body.status]).toEqual([503, 'unavailable'])
    expect(ready.body.reason).toContain('the disk cannot be read or written')

    setFileSizeLimit(server, 'unlimited')
    expect((await setup.create('room again')).status).toBe(201)
    while ((await call('GET', '/readyz')).status !== 200) await Bun.sleep(250)
    setFileSizeLimit(server, '1000')
    const second = await fillDisk(setup, 'second')
    expect(await server.end('SIGKILL')).toBe(137)

    const log = await server.err()
    expect(log).toContain(first.refused[0]!.body.request_id)
    expect(log).toContain('The disk cannot be read or written. Check whether it is full (df)')
    expect(log).toContain('Writes resume automatically')
    const titles = [...first.created, 'room again', ...second.created].toSorted()
    const restarted = await startServer(data)
    expect(titlesIn(data)).toEqual(titles)
    const { status } = await sendRequest(restarted.url, setup.api_key, 'POST', '/api/v1/tasks', {
      ...{ project_id: setup.project_id, title: 'after the restart' },
    })
    expect(status).toBe(201)
    expect(await restarted.end()).toBe(0)
  })

  test('a tool call is refused with the same reason', async () => {
    const setup = await startWithBoard({ launcher: SMALL_DISK })
    await fillDisk(setup, 'full')
    const { project_id } = setup
    const input = { project_id, title: 'Too much', description: 'x'.repeat(1_000_000) }
    const params = { name: 'svc_tasks', arguments: { action: 'create', input } }
    const { body } = await setup.call('POST', '/mcp', {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    })
    expect(body.result.isError).toBe(true)
    expect(body.result.content[0].text).toContain('cannot be written now: the disk cannot be')
    expect(await setup.server.end()).toBe(0)
  })

  test('an upload is refused with the reason and leaves neither a row nor a file', async () => {
    const { server, call, create, data, api_key } = await startWithBoard({ launcher: SMALL_DISK })
    const { task_id } = (await create('with a file')).body.data
    const path = `/api/v1/tasks/${task_id}/attachments`
    const upload = async (bytes: number) => {
      const form = new FormData()
      form.append('file', new File([new Uint8Array(bytes)], 'large.bin'))
      const headers = { authorization: `Bearer ${api_key}` }
      const response = await fetch(`${server.url}${path}/upload`, {
        ...{ method: 'POST', headers, body: form },
      })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
    const { status, body } = await upload(4_000_000)
    expect([status, body.error]).toEqual([503, 'Not available now'])
    expect(body.message).toBe(
      'Files cannot be written now: the file is larger than the system allows. Nothing was changed',
    )
    expect((await call('GET', path)).body.data).toEqual([])
    const files = [...new Bun.Glob('files/**/*').scanSync({ cwd: data, dot: true })]
    expect(files).toEqual([])
    setFileSizeLimit(server, 'unlimited')
    expect((await upload(4_000_000)).status).toBe(201)
    expect((await call('GET', path)).body.data).toHaveLength(1)
    expect(await server.end()).toBe(0)
    expect(await server.err()).toContain('The file is larger than the system allows')
  })

  test('a full log file fails no request, and logging resumes when there is room', async () => {
    const log = join(createFolder(), 'log')
    writeFileSync(log, '')
    truncateSync(log, 4_000_000)
    const script = `trap "" XFSZ; ulimit -S -f 3000; exec "$@" 2>>${log}`
    const env = { CORK_LOG_LEVEL: 'debug' }
    const { server, call, create } = await startWithBoard({
      launcher: ['sh', '-c', script, 'sh'],
      env,
    })
    expect((await create('while the log is full')).status).toBe(201)
    expect((await call('GET', '/api/v1/tasks/4711')).status).toBe(404)
    setFileSizeLimit(server, 'unlimited')
    expect((await call('GET', '/api/v1/tasks')).status).toBe(200)
    expect(readFileSync(log, 'utf8')).toContain('"msg":"served"')
    expect(await server.end()).toBe(0)
  })
})

test('a server without free file descriptors responds again once some are free', async () => {
  const { server, create } = await startWithBoard({ launcher: withLimit('-n 64') })
  const { hostname, port } = new URL(server.url)
  const connect = async (text: string, onText: (text: string) => void = () => {}) => {
    const handlers = { data: (_: unknown, bytes: Buffer) => onText(bytes.toString()) }
    const socket = await Bun.connect({ hostname, port: Number(port), socket: handlers })
    socket.write(text)
    return socket
  }
  // A connection takes a descriptor once data is sent.
  const connections = await Promise.all(Array.from({ length: 200 }, () => connect('GET /healthz')))
  await Bun.sleep(100)
  const lateResponse = new Promise<string>((resolve) => {
    void connect('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n', resolve)
  })
  const first = await Promise.race([lateResponse, Bun.sleep(300).then(() => 'no response')])
  expect(first).toBe('no response')
  for (const one of connections) one.end()
  expect(await lateResponse).toStartWith('HTTP/1.1 200')
  expect((await create('after it')).status).toBe(201)
  expect(await server.end()).toBe(0)
})

test('a damaged database page fails only the requests that need it, and is reported', async () => {
  const setup = await startWithBoard({})
  for (let index = 0; index < 20; index++) await setup.create(`task ${index}`)
  expect(await setup.server.end()).toBe(0)
  const path = join(setup.data, 'corkboard.db')
  const database = new Database(path, { readonly: true })
  const { size } = database.query('select page_size size from pragma_page_size').get() as never
  const sql = "select rootpage root from sqlite_master where name = 'tasks'"
  const { root } = database.query(sql).get() as { root: number }
  database.close()
  const bytes = readFileSync(path)
  bytes.fill(0xa5, (root - 1) * size, root * size)
  writeFileSync(path, bytes)

  const server = await startServer(setup.data)
  const read = await sendRequest(server.url, setup.api_key, 'GET', '/api/v1/tasks')
  expect([read.status, read.body.error]).toEqual([500, 'Internal error'])
  expect(JSON.stringify(read.body)).not.toContain('malformed')
  const boards = await sendRequest(server.url, setup.api_key, 'GET', '/api/v1/teams')
  expect(boards.status).toBe(200)
  const ready = await sendRequest(server.url, setup.api_key, 'GET', '/readyz')
  expect([ready.status, ready.body.reason]).toEqual([503, expect.stringContaining('is damaged')])
  await server.end()
  expect(await server.err()).toContain('restore the newest backup')
})
