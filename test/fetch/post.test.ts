import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { guardedPost } from '../../src/fetch/index.ts'
import { FetchError } from '../../src/kernel/services.ts'

const servers: { stop(force?: boolean): void }[] = []
const folder = mkdtempSync(join(tmpdir(), 'cork-post-'))
afterAll(() => {
  for (const server of servers) server.stop(true)
  rmSync(folder, { recursive: true })
})

type Answer = (request: Request) => Response | Promise<Response>

function startServer(fetch: Answer, tls?: { cert: string; key: string }) {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 60, fetch, ...{ tls } })
  servers.push(server)
  return server.port!
}

const local = async () => [{ address: '127.0.0.1', family: 4 }]
const open = guardedPost({ allowed: ['hooks.test'], resolve: local })
const closed = guardedPost({ allowed: [], resolve: local })

const send = (post: typeof open, url: string, { body = '{}', ms = 3000 } = {}) =>
  post.send(url, {
    ...{ headers: { 'content-type': 'application/json' }, body },
    signal: AbortSignal.timeout(ms),
  })

async function refusalOf(job: Promise<unknown>) {
  const error = await job.then(
    () => new Error('The request was not refused'),
    (refused) => refused,
  )
  if (error instanceof FetchError) return error
  throw error
}

/** A self-signed certificate for that host. */
function createCertificate(host: string, days = 2) {
  const [cert, key] = [join(folder, `${host}.pem`), join(folder, `${host}.key`)]
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`]
  const result = Bun.spawnSync(
    ['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'].concat(
      ['-nodes', '-keyout', key, '-out', cert, '-days', String(days)],
      names,
    ),
  )
  if (result.exitCode) throw new Error(String(result.stderr))
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
}

test('a body arrives whole at the resolved address', async () => {
  const requests: unknown[] = []
  const port = startServer(async (request) => {
    const { host, 'content-type': type, 'user-agent': agent } = request.headers.toJSON()
    requests.push([request.method, host, type, agent, await request.text()])
    return new Response(null, { status: 204 })
  })
  const body = JSON.stringify({ text: 'Grüße 🐦'.repeat(1000) })
  expect(await send(open, `http://hooks.test:${port}/in?x=1`, { body })).toBe(204)
  expect(requests).toEqual([['POST', `hooks.test:${port}`, 'application/json', 'Corkboard', body]])
})

test('only https URLs are accepted, except for explicitly allowed hosts', async () => {
  const port = startServer(() => new Response('ok'))
  for (const url of [
    ...[`http://127.0.0.1:${port}/`, 'http://example.com/', 'ftp://hooks.test/', 'hook', ''],
    ...['https://ada:pw@example.com/', 'https://ada@hooks.test/', 'javascript:alert(1)'],
  ]) {
    expect([url, (await refusalOf(closed.check(url))).code]).toEqual([url, 'invalid_format'])
    expect([url, (await refusalOf(send(closed, url))).code]).toEqual([url, 'invalid_format'])
  }
  expect(await send(open, `http://hooks.test:${port}/`)).toBe(200)
})

test('a local or private address is refused by check and by send', async () => {
  let reached = 0
  const port = startServer(() => {
    reached++
    return new Response('secret')
  })
  for (const host of [
    ...['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '0', '[::1]'],
    ...['[::ffff:127.0.0.1]', 'localhost.', '169.254.169.254', '[fd00::1]', '10.0.0.8'],
    ...['192.168.1.1', '172.16.0.1', '100.64.0.1', '[fe80::1]', '１２７.0.0.1', 'inner.test'],
  ]) {
    const url = `https://${host}:${port}/`
    for (const error of [await refusalOf(closed.check(url)), await refusalOf(send(closed, url))])
      expect([host, error.code, error.message]).toEqual([
        ...[host, 'out_of_range', expect.stringContaining('is not a public address')],
      ])
  }
  const resolve = async () => [{ address: '93.184.215.14', family: 4 }, ...(await local())]
  const mixed = guardedPost({ allowed: [], resolve })
  expect((await refusalOf(send(mixed, 'https://two.test/'))).code).toBe('out_of_range')
  expect(reached).toBe(0)
})

test('a host is resolved again for each request, once each time', async () => {
  const port = startServer(() => new Response('ok'))
  let lookups = 0
  const alternating = guardedPost({
    allowed: ['turning.test'],
    resolve: async () => [{ address: lookups++ % 2 ? '127.0.0.2' : '127.0.0.1', family: 4 }],
  })
  expect(await send(alternating, `http://turning.test:${port}/`)).toBe(200)
  expect(lookups).toBe(1)
  expect((await refusalOf(send(alternating, `http://turning.test:${port}/`))).message).toBe(
    'Connection refused',
  )
})

test('check accepts a host that does not resolve, and send refuses it', async () => {
  const unresolved = guardedPost({
    allowed: [],
    resolve: () => Promise.reject(new Error('ENOTFOUND')),
  })
  await unresolved.check('https://soon.test/hook')
  expect(await refusalOf(send(unresolved, 'https://soon.test/hook'))).toMatchObject({
    code: 'not_found',
  })
  const slow = guardedPost({ allowed: [], resolve: () => new Promise(() => {}) })
  const startedAt = performance.now()
  await slow.check('https://slow.test/hook')
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  expect((await refusalOf(send(slow, 'https://slow.test/', { ms: 100 }))).message).toContain(
    'too long',
  )
})

test('a redirect is returned as a status and not followed', async () => {
  let reached = 0
  const secret = startServer(() => {
    reached++
    return new Response('secret')
  })
  for (const status of [301, 302, 303, 307, 308]) {
    const location = `http://hooks.test:${secret}/`
    const port = startServer(() => new Response(null, { status, headers: { location } }))
    expect(await send(open, `http://hooks.test:${port}/`)).toBe(status)
  }
  expect(reached).toBe(0)
})

test('a silent server times out, and an endless body is not read after the status', async () => {
  const silent = startServer(() => new Promise<Response>(() => {}))
  const startedAt = performance.now()
  const error = await refusalOf(send(open, `http://hooks.test:${silent}/`, { ms: 200 }))
  expect(error.message).toBe('It took too long to respond')
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  let sentBytes = 0
  const endless = startServer(
    () =>
      new Response(
        new ReadableStream({
          async pull(controller) {
            sentBytes += 4096
            controller.enqueue(new Uint8Array(4096))
            await Bun.sleep(1)
          },
        }),
      ),
  )
  expect(await send(open, `http://hooks.test:${endless}/`)).toBe(200)
  await Bun.sleep(500)
  const after = sentBytes
  await Bun.sleep(200)
  // Data in flight may still arrive, but nothing more is read.
  expect(sentBytes - after).toBeLessThan(10_000)
})

test('a connection with a slow response body is closed soon after the status', async () => {
  let openStreams = 0
  const slow = startServer(() => {
    openStreams++
    return new Response(
      new ReadableStream({
        async pull(controller) {
          await Bun.sleep(50)
          controller.enqueue(new Uint8Array(1))
        },
        cancel: () => void openStreams--,
      }),
    )
  })
  expect(await send(open, `http://hooks.test:${slow}/`, { ms: 60_000 })).toBe(200)
  expect(openStreams).toBe(1)
  await Bun.sleep(1500)
  expect(openStreams).toBe(0)
})

test('a closed and a refused connection are reported with a message', async () => {
  const closing = Bun.listen({
    ...{ hostname: '127.0.0.1', port: 0 },
    socket: { data: (socket) => void socket.end() },
  })
  servers.push(closing)
  const stopped = startServer(() => new Response('x'))
  servers.at(-1)!.stop(true)
  const messageFor = async (port: number) =>
    (await refusalOf(send(open, `http://hooks.test:${port}/`))).message
  expect(await messageFor(closing.port)).toBe('The connection was closed before a response')
  expect(await messageFor(stopped)).toBe('Connection refused')
})

test('a certificate must be trusted and issued for the host', async () => {
  const certificate = createCertificate('hooks.test')
  const port = startServer(() => new Response('ok'), certificate)
  const trusting = guardedPost({
    ...{ allowed: ['hooks.test', 'other.test'], resolve: local, ca: certificate.cert },
  })
  const messageFor = async (post: typeof open, url: string) =>
    (await refusalOf(send(post, url))).message
  expect(await send(trusting, `https://hooks.test:${port}/`)).toBe(200)
  expect(await messageFor(open, `https://hooks.test:${port}/`)).toBe(
    'Its certificate is self-signed',
  )
  expect(await messageFor(trusting, `https://other.test:${port}/`)).toBe(
    'Its certificate is for another host',
  )
  const plain = startServer(() => new Response('x'))
  expect(await messageFor(trusting, `https://hooks.test:${plain}/`)).not.toBe('')
})

test('an exchange also returns the beginning of the response and the wish to wait', async () => {
  const port = startServer(async (request) => {
    const size = (await request.arrayBuffer()).byteLength
    const headers = { 'retry-after': '7' }
    return new Response(`${size} bytes ${'x'.repeat(200_000)}`, { status: 429, headers })
  })
  const response = await open.exchange(`http://hooks.test:${port}/`, {
    ...{ headers: {}, body: new Uint8Array([0, 255, 1]), signal: AbortSignal.timeout(3000) },
  })
  expect(response).toMatchObject({ status: 429, retryAfter: '7' })
  expect(response.text).toStartWith('3 bytes xxx')
  expect(response.text.length).toBeLessThan(200_000)
})
