import { afterEach, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { Elysia } from 'elysia'
import { notReadyReason } from '../../src/server/health.ts'
import { followers } from '../../src/store/tables.ts'
import { Metrics, system } from '../../src/surfaces/system/index.ts'
import { world } from '../support/world.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0)) await cleanUp()
})

async function startServer() {
  const w = await world()
  w.app.listen({ port: 0, hostname: '127.0.0.1', reusePort: false })
  cleanups.push(() => w.app.stop(true))
  return { ...w, url: `http://127.0.0.1:${w.app.server!.port}` }
}

test('a running server is healthy, and ready while its database works', async () => {
  const { http } = await world()
  expect((await http(undefined, 'GET', '/healthz')).body).toEqual({ status: 'ok' })
  const ready = await http(undefined, 'GET', '/readyz')
  expect([ready.status, ready.body]).toEqual([200, { status: 'ready' }])
})

test('an unreadable database is reported without internal details', async () => {
  const { store } = await world()
  const brokenStore = {
    ...store,
    read: () => Promise.reject(new Error('/var/secret: disk I/O error')),
  }
  expect(await notReadyReason(brokenStore)).toBe('The database cannot be read')
})

const idleSources = {
  ...{ waiting: () => 0, commits: () => 0, newest: async () => 0, streams: () => 0 },
  undelivered: async () => 0,
}

test('a server that is not ready responds 503 with the reason', async () => {
  const { gateway } = await world()
  const parts = { metrics: new Metrics(idleSources), server: { url: '' }, routes: () => [] }
  const app = new Elysia().use(system({ gateway, notReadyReason: async () => 'No disk', ...parts }))
  const response = await app.handle(new Request('http://localhost/readyz'))
  expect(response.status).toBe(503)
  expect(await response.json()).toEqual({ status: 'unavailable', reason: 'No disk' })
})

test('a blocked write queue makes the server unready', async () => {
  const { store } = await world()
  const blockedStore = { ...store, write: () => new Promise<never>(() => {}) }
  expect(await notReadyReason(blockedStore)).toBe('The database could not be written in time')
})

test('health checks are not rate-limited', async () => {
  const { http } = await world()
  const { headers } = await http(undefined, 'GET', '/healthz')
  expect(headers.has('ratelimit-limit')).toBe(false)
})

test('metrics count requests by route and never by id', async () => {
  const { ada, http, url } = await startServer()
  await http(ada, 'GET', '/api/v1/tasks/4711')
  await http(ada, 'GET', '/api/v1/projects')
  await http(undefined, 'GET', '/api/v1/projects')
  const response = await fetch(`${url}/metrics`)
  const text = await response.text()
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toStartWith('text/plain')
  const count = (route: string, status: number) =>
    text.includes(`cork_http_requests_total{route="${route}",method="GET",status="${status}"} 1\n`)
  expect(count('/api/v1/projects', 200)).toBe(true)
  expect(count('/api/v1/projects', 401)).toBe(true)
  expect(text).not.toContain('/4711')
  for (const name of [
    'cork_http_seconds_bucket',
    'process_cpu_seconds_total',
    'cork_streams 0',
    'cork_webhook_messages 0',
  ])
    expect(text).toContain(name)
  expect(text).toMatch(/cork_commits_total [1-9]/)
  expect(text).toMatch(/cork_write_queue_waiting \d+/)
  expect(text).toMatch(/cork_changes_seq \d+/)
})

test('metrics are refused through a proxy, without a credential and to members, not to owners', async () => {
  const { ada, cleo, http, url } = await startServer()
  const forwarded = { 'x-forwarded-for': '203.0.113.9' }
  expect((await fetch(`${url}/metrics`, { headers: forwarded })).status).toBe(403)
  expect((await http(undefined, 'GET', '/metrics')).status).toBe(403)
  expect((await http(cleo, 'GET', '/metrics')).status).toBe(403)
  expect((await http(ada, 'GET', '/metrics')).status).toBe(200)
})

test('llms.txt explains where and how to connect', async () => {
  const { http } = await world()
  const { status, headers, text } = await http(undefined, 'GET', '/llms.txt')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
  for (const part of [
    'http://localhost/mcp',
    'Authorization: Bearer <API_KEY>',
    '"type": "http"',
    'claude mcp add --transport http corkboard http://localhost/mcp',
    'curl -H "Authorization: Bearer <API_KEY>" http://localhost/api/v1/projects',
    'cork init',
  ])
    expect(text).toContain(part)
})

test('the client configuration in llms.txt is valid JSON', async () => {
  const { text } = await (await world()).http(undefined, 'GET', '/llms.txt')
  const { mcpServers } = JSON.parse(text.slice(text.indexOf('{\n'), text.indexOf('\n}\n') + 2))
  expect(mcpServers.corkboard).toEqual({
    type: 'http',
    url: 'http://localhost/mcp',
    headers: { Authorization: 'Bearer <API_KEY>' },
  })
})

test('an unknown route under /api/mcp/ responds 404, and 401 without a valid credential', async () => {
  const { ada, http } = await world()
  for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
    expect((await http(undefined, method, '/api/mcp/nothing')).status).toBe(401)
    expect((await http({ secret: 'cork_bad' }, method, '/api/mcp/nothing')).status).toBe(401)
    expect((await http(ada, method, '/api/mcp/nothing')).status).toBe(404)
  }
})

test('an unknown API route responds 404 with the nearest route', async () => {
  const { http } = await world()
  const { status, body } = await http(undefined, 'GET', '/api/v1/project')
  expect(status).toBe(404)
  expect(body).toMatchObject({ success: false, error: 'Not found' })
  expect(body.hint).toBe('Did you mean /api/v1/projects? /docs lists every route')
  expect(body.request_id).toBeString()
})

test('an unknown page responds 404 with an HTML page', async () => {
  const { http } = await world()
  const { status, headers, text } = await http(undefined, 'GET', '/no/such/page')
  expect(status).toBe(404)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(text).toContain('Page not found')
})

test('an unsupported method is refused with 405, and OPTIONS lists the allowed ones', async () => {
  const { ada, http } = await world()
  const response = await http(ada, 'PUT', '/api/v1/events')
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  expect(response.body.error).toBe('Method not allowed')
  const options = await http(undefined, 'OPTIONS', '/api/v1/events')
  expect([options.status, options.text]).toEqual([204, ''])
  expect(options.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
})

test('HEAD responds as GET without a body', async () => {
  const { url, ada } = await startServer()
  const headers = { authorization: `Bearer ${ada.secret}` }
  for (const path of ['/api/v1/projects', '/healthz', '/llms.txt', '/docs', '/api/v1/events']) {
    const response = await fetch(url + path, { method: 'HEAD', headers })
    expect([path, response.status, await response.text()]).toEqual([path, 200, ''])
  }
})

for (const path of ['/api/v1/projects/%zz', '/api/v1/tasks/%E0%A4%A', '/%', '/api/v1/x%C3'])
  test(`the malformed address ${path} is refused with 400`, async () => {
    const { ada, http } = await world()
    const { status, body } = await http(ada, 'GET', path)
    expect(status).toBe(400)
    expect(body.details.code).toBe('invalid_format')
  })

test('malformed requests never cause a 5xx response', async () => {
  const { app, url } = await startServer()
  const port = app.server!.port!
  for (const requestLine of [
    'GET /api/v1/tasks/%00 HTTP/1.1',
    'GET /api/v1/tasks/\xff HTTP/1.1',
    'GET //api//v1 HTTP/1.1',
    'GET /../../etc/passwd HTTP/1.1',
    'OPTIONS * HTTP/1.1',
    'GET http://elsewhere/api/v1/tasks HTTP/1.1',
    'TRACE /api/v1/tasks HTTP/1.1',
    'NONSENSE /api/v1/tasks HTTP/1.1',
  ])
    expect(await sendRaw(port, requestLine), requestLine).not.toMatch(/^HTTP\/1.1 5/)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
})

const sendRaw = (port: number, requestLine: string) =>
  new Promise<string>((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(Buffer.from(`${requestLine}\r\nHost: x\r\nConnection: close\r\n\r\n`, 'latin1')),
    )
    socket.on('data', (bytes) => {
      answer += bytes
    })
    socket.on('error', () => resolve(answer))
    socket.on('close', () => resolve(answer))
  })

test('errors inside Elysia are returned in our own format without internal details', async () => {
  const { gateway } = await world()
  const parts = { metrics: new Metrics(idleSources), server: { url: '' }, routes: () => [] }
  const app = new Elysia()
    .use(system({ gateway, notReadyReason: async () => undefined, ...parts }))
    .get('/broken', () => {
      throw new Error('the password is swordfish')
    })
    .post('/parsed', ({ body }) => String(body))
  for (const request of [
    new Request('http://localhost/broken'),
    new Request('http://localhost/parsed', {
      method: 'POST',
      body: '{',
      headers: { 'content-type': 'application/json' },
    }),
  ]) {
    const response = await app.handle(request)
    const text = await response.text()
    expect(JSON.parse(text)).toMatchObject({ success: false })
    expect(text).not.toContain('swordfish')
  }
})

test('the readiness check leaves no follower in the database', async () => {
  const { http, store } = await world()
  expect((await http(undefined, 'GET', '/readyz')).status).toBe(200)
  expect(await store.read((tx) => tx.select().from(followers))).toEqual([])
})
