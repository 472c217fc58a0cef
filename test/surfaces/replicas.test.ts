/** Reads from replicas, with a primary and a streaming replica of its own. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { Client } from 'pg'
import { type Cluster, startPostgres, startReplica } from '../../scripts/postgres.ts'
import { readConfig } from '../../src/config/index.ts'
import { checkReplicas } from '../../src/doctor/postgres.ts'
import { ReplicaSet } from '../../src/store/replicas.ts'
import { Random } from '../crash/random.ts'
import { addCleanup } from '../support/database.ts'
import { scaleCount, seed } from '../support/scale.ts'
import { waitUntil } from '../support/wait.ts'
import { world } from '../support/world.ts'

let primary: Cluster
let replica: Cluster
let databaseCount = 0

beforeAll(async () => {
  primary = await startPostgres({ durable: true })
  replica = await startReplica(primary)
}, 120_000)

afterEach(() => pauseReplay(false))

afterAll(async () => {
  await replica.stop()
  await primary.stop()
})

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url)
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return rows
}

/** While replay is paused, the replica receives changes but does not show them. */
async function pauseReplay(isPaused = true) {
  await query(replica.url, `select pg_wal_replay_${isPaused ? 'pause' : 'resume'}()`)
  const state = 'select pg_get_wal_replay_pause_state() as state'
  const expected = isPaused ? 'paused' : 'not paused'
  await waitUntil(async () => (await query(replica.url, state))[0]!.state === expected)
}

interface Options {
  /** The address of the replica. */
  url?: string
  maxLagMs?: number
  commits?: 'on' | 'off'
}

/** Starts a server that can read from the replica, and returns it with a task to rename. */
async function startServer({
  url = replica.url,
  maxLagMs = 600_000,
  commits = 'on',
}: Options = {}) {
  const name = `board_${databaseCount++}`
  await query(primary.url, `create database ${name}`)
  await query(primary.url, `alter database ${name} set synchronous_commit = ${commits}`)
  const addressOn = (server: string) => server.replace(/postgres$/, name)
  const replicaUrls = [addressOn(url)]
  const w = await world({ location: { path: '', url: addressOn(primary.url), replicaUrls } })
  const replicas = new ReplicaSet(addressOn(primary.url), replicaUrls, maxLagMs)
  w.store.replicas = replicas
  addCleanup(() => replicas.close())
  const { task_id } = w.tasks.logo
  const headersOf = (position?: string): Record<string, string> =>
    position ? { 'cork-position': position } : {}
  const send = (method: string, path: string, body?: unknown, position?: string) =>
    w.http(w.ada, method, `/api/v1/${path}`, body, headersOf(position))
  const rename = async (title: string, id = task_id) =>
    (await send('PATCH', `tasks/${id}`, { title })).headers.get('cork-position')!
  const titleAt = async (position?: string, id = task_id): Promise<string> =>
    (await send('GET', `tasks/${id}`, undefined, position)).body.data.title
  const waitForReplica = (position: string) =>
    waitUntil(() => replicas.read(position, async () => true).catch(() => false))
  return { ...w, addressOn, replicas, task_id, send, rename, titleAt, waitForReplica }
}

/** A server with an old title on the paused replica and a new one on the primary. */
async function startStaleServer(options: Options = {}) {
  const server = await startServer(options)
  const old = await server.rename('Old')
  await server.waitForReplica(old)
  await pauseReplay()
  const current = await server.rename('New')
  return { ...server, old, current }
}

test('a read goes to a replica only if that has reached the position of the request', async () => {
  const { titleAt, send, task_id, old, current } = await startStaleServer()
  expect(current > old).toBe(true)
  expect(await titleAt(old)).toBe('Old')
  expect(await titleAt(current)).toBe('New')
  expect(await titleAt()).toBe('New')
  const { headers } = await send('GET', `tasks/${task_id}`, undefined, old)
  expect(headers.get('cork-position')).toBe(old)
  expect((await send('GET', `tasks/${task_id}`)).headers.get('cork-position')).toBeNull()
  await pauseReplay(false)
  await waitUntil(async () => (await titleAt(old)) === 'New')
})

test('a replica answers neither with errors nor from the change log', async () => {
  const { send, board, old } = await startStaleServer()
  const { project_id } = board
  const { body } = await send('POST', 'tasks', { project_id, title: 'Later' })
  const read = await send('GET', `tasks/${body.data.task_id}`, undefined, old)
  expect(read.body.data.title).toBe('Later')
  const { text } = await send('GET', `projects/${project_id}/board`, undefined, old)
  expect(text).toContain('"title":"Later"')
})

test('a position that is none is refused', async () => {
  const { send, task_id } = await startServer()
  const { status, body } = await send('GET', `tasks/${task_id}`, undefined, '0/16B3748')
  expect([status, body.details.field, body.details.code]).toEqual([
    400,
    'Cork-Position',
    'invalid_format',
  ])
})

test('a replica that lags too far behind is not used', async () => {
  const { titleAt, old } = await startStaleServer({ maxLagMs: 50 })
  await waitUntil(async () => (await titleAt(old)) === 'New')
  expect(await titleAt(old)).toBe('New')
})

test('reads go to the primary while a replica is unreachable, and return to it', async () => {
  const proxy = await openProxy(Number(new URL(replica.url).port))
  const { titleAt, addressOn, old } = await startStaleServer({ url: proxy.url })
  expect(await titleAt(old)).toBe('Old')
  const terminate = 'select pg_terminate_backend(pid) from pg_stat_activity'
  await query(addressOn(replica.url), `${terminate} where application_name = 'corkboard'`)
  expect(['Old', 'New']).toContain(await titleAt(old))
  await proxy.close()
  expect(await titleAt(old)).toBe('New')
  await proxy.open()
  await waitUntil(async () => (await titleAt(old)) === 'Old')
})

test('a replica that became a primary is no longer used', async () => {
  const other = await startReplica(primary)
  addCleanup(() => other.stop())
  const { rename, titleAt, waitForReplica } = await startServer({ url: other.url })
  const old = await rename('Old')
  await waitForReplica(old)
  await query(other.url, 'select pg_promote()')
  await rename('New')
  await waitUntil(async () => (await titleAt(old)) === 'New')
  expect(await titleAt(old)).toBe('New')
})

/** Forwards connections to a port of this machine until it is closed. */
async function openProxy(target: number) {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => {}))
    client.pipe(upstream).pipe(client)
  })
  let port = 0
  const open = async () => {
    await once(server.listen(port, '127.0.0.1'), 'listening')
    ;({ port } = server.address() as { port: number })
  }
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    if (server.listening) await once(server.close(), 'close')
  }
  await open()
  addCleanup(close)
  return { url: `postgres://cork@127.0.0.1:${port}/postgres`, open, close }
}

test('an event has a position that includes its change', async () => {
  const { app, ada, rename, titleAt, waitForReplica } = await startServer()
  const written = await rename('Announced')
  const response = await app.handle(
    new Request('http://localhost/api/v1/events', {
      headers: { authorization: `Bearer ${ada.secret}`, 'last-event-id': '0' },
    }),
  )
  const reader = response.body!.getReader()
  let text = ''
  while (!text.includes('Announced')) text += new TextDecoder().decode((await reader.read()).value)
  await reader.cancel()
  const [, position = ''] = /Announced.*"position":"([0-9a-f]{24})"/.exec(text)!
  expect(position >= written).toBe(true)
  await waitForReplica(position)
  expect(await titleAt(position)).toBe('Announced')
})

test('metrics and cork doctor tell how far a replica is behind', async () => {
  const { http, ada, addressOn } = await startStaleServer()
  const metrics = async () => (await http(ada, 'GET', '/metrics')).text
  expect(await metrics()).toMatch(/^cork_replica_lag_bytes\{replica="127.*"\} [1-9]\d*$/m)
  // The second is no replica, and the third does not run.
  const urls = [replica.url, primary.url, 'postgres://cork@127.0.0.1:1/none'].map(addressOn)
  const findings = await checkReplicas(addressOn(primary.url), urls)
  expect(findings.map(({ state }) => state)).toEqual(['ok', 'warning', 'warning'])
  expect(findings[2]!.says).toBe('127.0.0.1:1/none cannot be used, so its reads go to the primary')
})

const CLIENTS = 4
const STEPS = scaleCount(40, 1500)

test.each(['on', 'off'] as const)(
  'every client reads its own writes at any lag, with synchronous_commit %s',
  async (commits) => {
    const server = await startServer({ commits })
    const { send, rename, titleAt, board, replicas, waitForReplica } = server
    let answered = 0
    const read: typeof replicas.read = async (position, job) => {
      const value = await ReplicaSet.prototype.read.call(replicas, position, job)
      answered++
      return value as never
    }
    replicas.read = read
    const random = new Random(seed)
    const work = async (client: number) => {
      let title = `Task of ${client}`
      const draft = { project_id: board.project_id, title }
      const { body, headers } = await send('POST', 'tasks', draft)
      const { task_id } = body.data
      let position = headers.get('cork-position')!
      for (let step = 0; step < STEPS; step++) {
        if (random.onceIn(3)) {
          title = `Title ${step} of ${client}`
          position = await rename(title, task_id)
        } else expect(await titleAt(position, task_id)).toBe(title)
        if (client === 0 && random.onceIn(8)) await pauseReplay(random.onceIn(2))
      }
      return position
    }
    const positions = await Promise.all(Array.from({ length: CLIENTS }, (_, at) => work(at)))
    await pauseReplay(false)
    await waitForReplica(positions.toSorted().at(-1)!)
    expect(answered).toBeGreaterThan(0)
  },
)

test('the addresses of replicas are checked, and their passwords hidden', () => {
  const read = (DATABASE_REPLICA_URLS: string, DATABASE_URL = 'postgres://cork@db/cork') =>
    readConfig({ DATABASE_URL, DATABASE_REPLICA_URLS }).replicaUrls
  expect(read('postgres://a/cork, postgresql://b/cork,')).toEqual([
    'postgres://a/cork',
    'postgresql://b/cork',
  ])
  expect(() => read('mysql://a/cork')).toThrow('DATABASE_REPLICA_URLS must list URLs')
  expect(() => read('postgres://a/cork', '')).toThrow('DATABASE_REPLICA_URLS also needs')
  const url = primary.url
  expect(() => new ReplicaSet(url, ['postgres://a/cork?sslmode=x'])).toThrow(
    'sslmode in DATABASE_REPLICA_URLS must be one of',
  )
})
