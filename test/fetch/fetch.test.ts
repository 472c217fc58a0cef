import { afterAll, expect, test } from 'bun:test'
import { guardedFetch, isPublic } from '../../src/fetch/index.ts'
import { FetchError } from '../../src/kernel/services.ts'

const servers: { stop(force?: boolean): void }[] = []
afterAll(() => {
  for (const server of servers) server.stop(true)
})

function startServer(answer: (request: Request) => Response | Promise<Response>) {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 60, fetch: answer })
  servers.push(server)
  return server.port!
}

/** A server that sends exactly these bytes, and never closes if `ends` is false. */
function startRawServer(head: string, ends = true) {
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket) {
        socket.write(head)
        if (ends) socket.end()
      },
    },
  })
  servers.push(server)
  return server.port
}

const local = async () => [{ address: '127.0.0.1', family: 4 }]
const open = guardedFetch({ allowed: ['files.test', 'other.test'], resolve: local, timeoutMs: 300 })
const closed = guardedFetch({ allowed: [], resolve: local })

async function read(fetch: typeof open, url: string, { bytes = 1000, ms = 5000 } = {}) {
  const chunks: Uint8Array[] = []
  const signal = AbortSignal.timeout(ms)
  for await (const chunk of fetch(url, { bytes, signal })) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function refusalOf(job: Promise<unknown>) {
  const error = await job.then(
    () => new Error('The request was not refused'),
    (refused) => refused,
  )
  if (error instanceof FetchError) return error
  throw error
}

test('an allowed host is fetched from its resolved address', async () => {
  const port = startServer((request) => new Response(request.headers.get('host')))
  expect((await read(open, `http://files.test:${port}/a`)).toString()).toBe(`files.test:${port}`)
})

test('isPublic accepts only addresses of the public internet', () => {
  for (const address of ['93.184.215.14', '1.1.1.1', '2606:4700:4700::1111', '172.32.0.1'])
    expect([address, isPublic(address)]).toEqual([address, true])
  for (const address of [
    ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '10.1.2.3', '172.16.0.1', '172.31.255.255'],
    ...['192.168.1.1', '169.254.169.254', '100.64.0.1', '100.127.255.255', '192.0.0.8'],
    ...['198.18.0.1', '198.19.255.255', '203.0.113.5', '224.0.0.1', '255.255.255.255', '240.0.0.1'],
    ...['::1', '::', 'fe80::1', 'fc00::1', 'fd12:3456::1', 'ff02::1', 'fe80::1%eth0'],
    ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::127.0.0.1', '64:ff9b::7f00:1'],
    ...['64:ff9b:1::1', '2002:7f00:1::', '2001::1', '2001:db8::1', 'fec0::1', '100::1'],
    ...['', 'localhost', '127.1', 'not an address'],
  ])
    expect([address, isPublic(address)]).toEqual([address, false])
})

test('a local or private address is refused in every notation', async () => {
  const port = startServer(() => new Response('secret'))
  for (const host of [
    ...['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '0', '[::1]'],
    ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', 'localhost.', '169.254.169.254', '[fd00::1]'],
    ...['１２７.0.0.1', 'files.test'],
  ]) {
    const error = await refusalOf(read(closed, `http://${host}:${port}/`))
    expect([host, error.code, error.message]).toEqual([
      ...[host, 'out_of_range', expect.stringContaining('is not a public address')],
    ])
    expect(error.hint).toContain('CORK_ALLOW_HOSTS')
  }
})

test('a host with one private address among others is refused', async () => {
  const resolve = async () => [
    { address: '93.184.215.14', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ]
  const error = await refusalOf(read(guardedFetch({ allowed: [], resolve }), 'http://two.test/'))
  expect(error.code).toBe('out_of_range')
})

test('a host is resolved once, so its address cannot change after the check', async () => {
  const port = startServer(() => new Response('fine'))
  let lookups = 0
  const resolve = async () => {
    lookups++
    return [{ address: lookups === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]
  }
  const fetch = guardedFetch({ allowed: ['turning.test'], resolve })
  expect((await read(fetch, `http://turning.test:${port}/`)).toString()).toBe('fine')
  expect(lookups).toBe(1)
})

test('every redirect is checked like the first URL', async () => {
  const secret = startServer(() => new Response('secret'))
  for (const target of [
    `http://127.0.0.1:${secret}/`,
    'http://169.254.169.254/latest/meta-data/',
    `http://localhost:${secret}/`,
    `//[::1]:${secret}/`,
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'http://ben:pw@files.test/',
  ]) {
    const port = startServer(
      () => new Response(null, { status: 302, headers: { location: target } }),
    )
    const error = await refusalOf(read(open, `http://files.test:${port}/`))
    expect([target, error.message]).toEqual([
      target,
      expect.stringMatching(/not a public address|not an http or https|user name/),
    ])
  }
})

test('up to five redirects are followed, also to other hosts', async () => {
  const port: number = startServer((request) => {
    const remaining = Number(new URL(request.url).pathname.slice(1))
    if (remaining === 0) return new Response('there')
    return new Response(null, {
      status: 307,
      headers: { location: `//other.test:${port}/${remaining - 1}` },
    })
  })
  expect((await read(open, `http://files.test:${port}/5`)).toString()).toBe('there')
  const error = await refusalOf(read(open, `http://files.test:${port}/6`))
  expect(error.message).toContain('more than 5 times')
})

test('an invalid URL, another scheme or a URL with a password is refused', async () => {
  for (const url of [
    ...['', 'x', 'files.test/a', '/etc/passwd', 'ftp://files.test/a', 'file:///etc/passwd'],
    ...['javascript:alert(1)', 'data:text/plain,hi', 'http://', 'http://ada:pw@files.test/'],
  ])
    expect([url, (await refusalOf(read(open, url))).code]).toEqual([url, 'invalid_format'])
})

test('an unknown or unreachable host is refused with not_found', async () => {
  const fetch = guardedFetch({ allowed: [], resolve: () => Promise.reject(new Error('ENOTFOUND')) })
  expect(await refusalOf(read(fetch, 'http://nowhere.test/'))).toMatchObject({ code: 'not_found' })
  const port = startServer(() => new Response('x'))
  servers.at(-1)!.stop(true)
  expect(await refusalOf(read(open, `http://files.test:${port}/`))).toMatchObject({
    ...{ code: 'not_found', message: expect.stringContaining('cannot be reached') },
  })
})

test('an error response is reported with its status', async () => {
  const port = startServer(() => new Response('no', { status: 404 }))
  const error = await refusalOf(read(open, `http://files.test:${port}/`))
  expect(error.message).toContain('status 404')
})

test('a response above the limit is refused, with or without a declared length', async () => {
  const port = startServer(() => new Response('x'.repeat(1001)))
  expect(await refusalOf(read(open, `http://files.test:${port}/`))).toMatchObject({
    code: 'too_long',
  })
  const endless = startServer(
    () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(500)),
        }),
      ),
  )
  expect(await refusalOf(read(open, `http://files.test:${endless}/`))).toMatchObject({
    code: 'too_long',
  })
  const exact = startServer(() => new Response('x'.repeat(1000)))
  expect(await read(open, `http://files.test:${exact}/`)).toHaveLength(1000)
})

test('a response that breaks off before its end is refused', async () => {
  for (const response of [
    'content-length: 100\r\n\r\nhalf',
    'transfer-encoding: chunked\r\n\r\n10\r\nhalf',
    'transfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n',
  ]) {
    const port = startRawServer(`HTTP/1.1 200 OK\r\n${response}`)
    const error = await refusalOf(read(open, `http://files.test:${port}/`))
    expect([response, error.message]).toEqual([response, expect.stringContaining('cut off')])
  }
})

test('a compressed response is refused', async () => {
  const compressed = Bun.gzipSync(new Uint8Array(1_000_000))
  const port = startServer(
    () => new Response(compressed, { headers: { 'content-encoding': 'gzip' } }),
  )
  const error = await refusalOf(read(open, `http://files.test:${port}/`, { bytes: 10_000 }))
  expect(error.message).toContain('compressed')
})

test('a silent or endless server is given up after a timeout', async () => {
  const silent = startRawServer('', false)
  expect((await refusalOf(read(open, `http://files.test:${silent}/`))).message).toContain(
    'too long',
  )
  const slow = startRawServer('HTTP/1.1 200 OK\r\n\r\nx', false)
  const startedAt = performance.now()
  const error = await refusalOf(read(open, `http://files.test:${slow}/`, { ms: 400 }))
  expect(error.message).toContain('too long')
  expect(performance.now() - startedAt).toBeLessThan(10_000)
})
