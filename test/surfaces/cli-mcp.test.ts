import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { CommandIO } from '../../src/surfaces/cli/io.ts'
import { removeTemporaryFolders, terminal } from '../support/terminal.ts'
import { startTestServer } from './test-server.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => {
  server.close()
  removeTemporaryFolders()
})

const request = (id: unknown, method: string, params?: object) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params })
const handshake = (protocolVersion: string) =>
  request(0, 'initialize', {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  })

interface Session {
  lines: string[]
  args?: string[]
  fetch?: CommandIO['fetch']
  token?: string
}

/** Runs `cork mcp` with these lines on standard input. Every line of its output must be JSON. */
async function session({ lines, args = [], fetch: send, token }: Session) {
  const requests: Request[] = []
  const { cork, io } = terminal(
    server,
    { secret: token ?? server.ada.secret },
    {
      async *lines() {
        yield* lines
      },
      sleep,
      fetch: (one) => {
        requests.push(one)
        return send?.(one) ?? server.app.handle(one)
      },
    },
  )
  const { code, out, err } = await cork('mcp', ...args)
  const answers = out ? out.split('\n').map((line) => JSON.parse(line)) : []
  return { code, err, answers, requests, io }
}

test('every revision of the handshake is sent on as a header of later requests', async () => {
  for (const revision of ['2025-03-26', '2025-06-18', '2025-11-25']) {
    const lines = [
      handshake(revision),
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
      request('list', 'tools/list'),
    ]
    const { code, answers, requests, err } = await session({ lines })
    expect([code, err]).toEqual([0, ''])
    expect(requests.map(({ headers }) => headers.get('mcp-protocol-version'))).toEqual([
      ...[null, revision, revision],
    ])
    expect(answers.map(({ id }) => id)).toEqual([0, 'list'])
    expect(answers[0].result.protocolVersion).toBe(revision)
    // Watching resources is what the command adds.
    const { resources: _, ...capabilities } = answers[0].result.capabilities
    const direct = await (await server.send('/mcp', server.ada, handshake(revision))).json()
    expect(direct.result.capabilities).toMatchObject(capabilities)
  }
})

test('a message of revision 2026-07-28 carries its headers, also with other letters', async () => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const hello = { name: 'svc_user_context', arguments: { action: 'hello' }, _meta }
  const lines = [
    request(1, 'server/discover', { _meta }),
    request(2, 'tools/call', hello),
    request(3, 'tools/call', { ...hello, name: 'svc_größe' }),
  ]
  const { answers, requests } = await session({ lines })
  const byId = Object.fromEntries(answers.map((answer) => [answer.id, answer]))
  expect(byId[1].result.supportedVersions).toContain('2026-07-28')
  expect(byId[2].result.structuredContent.success).toBe(true)
  expect(byId[3].error.message).toContain('There is no tool svc_größe')
  expect(requests.map(({ headers }) => headers.get('mcp-name'))).toEqual([
    ...[null, 'svc_user_context', '=?base64?c3ZjX2dyw7bDn2U=?='],
  ])
})

test('batches are answered as one line, and lines that are no messages are refused', async () => {
  const batch = `[${request(1, 'ping')},${request(2, 'tools/list')}]`
  const { answers } = await session({ lines: [batch, '', '{"id":', 'null', '[7]'] })
  const [parsed] = answers.filter(Array.isArray)
  expect(parsed!.map(({ id }: { id: number }) => id)).toEqual([1, 2])
  const refused = answers.filter((answer) => !Array.isArray(answer))
  expect(refused.map(({ id, error }) => [id, error.code])).toEqual([
    ...[
      [null, -32700],
      [null, -32700],
      [null, -32700],
    ],
  ])
})

test('selected tools and reading only are passed on, and their errors name the request', async () => {
  const lines = [request(1, 'tools/list')]
  const { answers } = await session({ lines, args: ['--tools', 'comments', '--read-only'] })
  expect(answers[0].result.tools.map(({ name }: { name: string }) => name)).toEqual([
    'svc_comments',
  ])
  expect(JSON.stringify(answers)).not.toContain('svc_comments add')
  const wrong = await session({ lines, args: ['--tools', 'taks'] })
  expect(wrong.answers[0]).toMatchObject({
    id: 1,
    error: { message: expect.stringContaining('There is no tool taks; did you mean tasks?') },
  })
})

test('a wrong key, a redirect and another program are explained to the client and on stderr', async () => {
  const respond =
    (status: number, body: string, headers = {}) =>
    async () =>
      new Response(body, { status, headers })
  for (const [options, text] of [
    [{ token: 'cork_wrong' }, 'http://localhost does not accept this key: This credential'],
    [{ fetch: respond(301, '', { location: 'https://b.example/mcp' }) }, 'redirects to https://b'],
    [{ fetch: respond(200, '<html>') }, 'not like a Corkboard server'],
    [{ fetch: respond(502, 'Bad gateway') }, 'answered with status 502'],
  ] as const) {
    const { answers, err, code } = await session({ lines: [request(7, 'tools/list')], ...options })
    expect([code, answers.length, answers[0].id]).toEqual([0, 1, 7])
    expect(answers[0].error.message).toContain(text)
    expect(err).toContain(text)
  }
})

/** Waits for answers as long as the command does, but not between retries. */
const sleep = (ms: number) => Bun.sleep(ms > 1000 ? ms : 0)

const refusedConnection = () => Object.assign(new Error('refused'), { code: 'ConnectionRefused' })

test('a server that never answered fails at once, and one that restarts is waited for', async () => {
  const down = await session({
    lines: [request(1, 'tools/list')],
    fetch: async () => Promise.reject(refusedConnection()),
  })
  expect(down.requests).toHaveLength(1)
  expect(down.answers[0].error.message).toStartWith('No server answers at http://localhost. Start')
  let attempts = 0
  const restarting: CommandIO['fetch'] = async (one) => {
    attempts++
    if (attempts === 2) return new Response('Bad gateway', { status: 502 })
    if (attempts > 2 && attempts < 5) throw refusedConnection()
    return server.app.handle(one)
  }
  const call = { name: 'svc_user_context', arguments: { action: 'hello' } }
  async function* lines() {
    yield handshake('2025-11-25')
    yield request(1, 'tools/call', call)
    while (attempts < 5) await Bun.sleep(5)
  }
  const { cork } = terminal(server, server.ada, { lines, sleep, fetch: restarting })
  const { out, err } = await cork('mcp')
  expect(err).toBe('')
  expect(JSON.parse(out.split('\n')[1]!).result.structuredContent.success).toBe(true)
})

test('a tool call whose answer was lost is sent again and changes something only once', async () => {
  let isLost = false
  const call = { name: 'svc_skills', arguments: { action: 'drill_make', input: { title: 'once' } } }
  const losing: CommandIO['fetch'] = async (one) => {
    const isCall = (await one.clone().text()).includes('drill_make')
    const response = await server.app.handle(one)
    if (!isCall || isLost) return response
    isLost = true
    throw Object.assign(new Error('reset'), { code: 'ECONNRESET' })
  }
  async function* lines() {
    yield handshake('2025-11-25')
    yield request(1, 'tools/call', call)
    while (!isLost) await Bun.sleep(5)
    // The command retries only while its client is there.
    await Bun.sleep(50)
  }
  const { cork } = terminal(server, server.ada, { lines, sleep, fetch: losing })
  const { out } = await cork('mcp')
  expect(JSON.parse(out.split('\n')[1]!).result.structuredContent.success).toBe(true)
  expect(server.createdTitles.filter((title) => title === 'once')).toEqual(['once'])
})

test('a cancelled request is ended and gets no answer', async () => {
  let signal: AbortSignal | undefined
  const hanging: CommandIO['fetch'] = (one) => {
    signal = one.signal
    return new Promise((_, reject) => {
      one.signal.addEventListener('abort', () => reject(one.signal.reason))
    })
  }
  async function* lines() {
    yield request(5, 'tools/list')
    while (!signal) await Bun.sleep(5)
    const params = { requestId: 5, reason: 'no longer needed' }
    yield JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
  }
  const { cork } = terminal(server, server.ada, { lines, fetch: hanging })
  expect(await cork('mcp')).toEqual({ code: 0, out: '', err: '' })
  expect(signal!.aborted).toBe(true)
})

test('a stream of events is forwarded, and one that ends without an answer is an error', async () => {
  const event = (message: object) => `event: message\ndata: ${JSON.stringify(message)}\n\n`
  const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: {} }
  const result = { jsonrpc: '2.0', id: 1, result: {} }
  const streamed =
    (...messages: object[]) =>
    async () =>
      new Response(`: ping\n\n${messages.map(event).join('')}`, {
        headers: { 'content-type': 'text/event-stream' },
      })
  const lines = [request(1, 'tools/list')]
  const open = { lines: () => waiting(lines) }
  const complete = terminal(server, server.ada, { ...open, fetch: streamed(progress, result) })
  const { out } = await complete.cork('mcp')
  expect(out.split('\n').map((line) => JSON.parse(line))).toEqual([progress, result])
  const cut = terminal(server, server.ada, { ...open, fetch: streamed(progress) })
  const [, last] = (await cut.cork('mcp')).out.split('\n')
  expect(JSON.parse(last!)).toMatchObject({ id: 1, error: { code: -32000 } })
})

/** Keeps standard input open for a moment after these lines. */
async function* waiting(lines: string[]) {
  yield* lines
  await Bun.sleep(50)
}

test('without a login, every request says how to sign in', async () => {
  const { cork, io } = terminal(server, undefined, { lines: () => waiting([request(1, 'ping')]) })
  delete io.env.CORK_URL
  const { out, err } = await cork('mcp')
  expect(JSON.parse(out).error.message).toContain('You are not signed in to http://127.0.0.1:3210')
  expect(err).toContain('cork login')
})
