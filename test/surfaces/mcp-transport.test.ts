import { afterAll, beforeAll, expect, test } from 'bun:test'
import { json, startTestServer } from './test-server.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const post = (body: unknown, headers: Record<string, string> = {}) =>
  server.send('/mcp', server.ada, body, headers)
const list = () => server.rpc('tools/list')

test('without a bearer token, every method is refused with 401', async () => {
  for (const method of ['POST', 'GET', 'DELETE', 'PUT']) {
    const body = method === 'GET' ? undefined : list()
    const response = await server.send('/mcp', undefined, body, {}, method)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toStartWith('Bearer')
    const { jsonrpc, error, ...rest } = await json(response)
    expect({ jsonrpc, rest }).toEqual({ jsonrpc: '2.0', rest: {} })
    expect(error.data.error).toBe('Authentication failed')
  }
  const forged = await server.send('/mcp', { secret: 'cork_nobody' }, list())
  expect(forged.status).toBe(401)
  for (const path of ['/sse', '/message?sessionId=1'])
    expect((await fetch(server.base + path, { method: 'POST' })).status).toBe(401)
  expect((await fetch(`${server.base}/sse`)).status).toBe(401)
})

test('a cookie does not replace the bearer token', async () => {
  const headers = { cookie: `session=${server.ada.secret}; nookies_user=1` }
  expect((await server.send('/mcp', undefined, list(), headers)).status).toBe(401)
})

test('methods other than POST are refused with 405 for an authenticated caller', async () => {
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const response = await server.send('/mcp', server.ada, undefined, {}, method)
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
  }
  const sseResponse = await server.send('/sse', server.ada, {})
  expect([sseResponse.status, sseResponse.headers.get('allow')]).toEqual([405, 'GET'])
})

test('a response is JSON unless the client accepts only an event stream', async () => {
  const accepts = [
    'application/json',
    '*/*',
    'application/json, text/event-stream',
    'application/*',
  ]
  for (const accept of accepts) {
    const response = await post(list(), { accept })
    expect(response.headers.get('content-type')).toContain('application/json')
    expect((await json(response)).result.tools.length).toBeGreaterThan(0)
  }
  const response = await post(list(), { accept: 'text/event-stream' })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const [event, data] = (await response.text()).trim().split('\n')
  expect(event).toBe('event: message')
  expect(JSON.parse(data!.slice('data: '.length)).result.tools.length).toBeGreaterThan(0)
})

test('a session id is not required, and is ignored', async () => {
  const response = await post(list(), { 'mcp-session-id': 'anything' })
  expect(response.status).toBe(200)
  expect(response.headers.get('mcp-session-id')).toBeNull()
  expect(response.headers.get('x-request-id')).toBeString()
})

test('invalid JSON-RPC is refused with the error codes of JSON-RPC', async () => {
  const cases: [unknown, number, number][] = [
    ['{', 400, -32700],
    ['', 400, -32700],
    ['7', 400, -32600],
    ['null', 400, -32600],
    [{}, 400, -32600],
    [{ id: 1, method: 'tools/list' }, 400, -32600],
    [{ jsonrpc: '2.0', id: {}, method: 'tools/list' }, 400, -32600],
    [[], 400, -32600],
    [[7], 400, -32600],
  ]
  for (const [body, status, code] of cases) {
    const response = await post(body)
    const { error } = await json(response)
    expect({ body, status: response.status, code: error.code }).toEqual({ body, status, code })
  }
})

test('unknown methods and invalid parameters are protocol errors', async () => {
  expect((await json(await post(server.rpc('tools/dance')))).error.code).toBe(-32601)
  expect(
    (await json(await post(server.rpc('resources/subscribe', { uri: 'corkboard://boards/HP' }))))
      .error.code,
  ).toBe(-32601)
  const nameless = await json(await post(server.rpc('tools/call', { arguments: {} })))
  expect(nameless.error.code).toBe(-32602)
  const arrayArguments = { name: 'svc_skills', arguments: [] }
  expect((await json(await post(server.rpc('tools/call', arrayArguments)))).error.code).toBe(-32602)
})

test('a body is refused if its content type is not JSON or if it is larger than 6 MB', async () => {
  const text = await post(JSON.stringify(list()), { 'content-type': 'text/plain' })
  expect(text.status).toBe(415)
  const vendorType = await post(JSON.stringify(list()), {
    'content-type': 'application/vnd.api+json',
  })
  expect(vendorType.status).toBe(415)
  const large = await post(`"${'x'.repeat(6 * 1024 * 1024)}"`)
  expect(large.status).toBe(413)
  expect((await json(large)).error.data.error).toBe('Too large')
})

test('only pages of this server and of this machine may call', async () => {
  const status = async (origin: string) => (await post(list(), { origin })).status
  expect(await status('http://localhost')).toBe(200)
  expect(await status('http://127.0.0.1:6274')).toBe(200)
  for (const origin of ['https://evil.example', 'http://localhost.evil.example', 'null'])
    expect(await status(origin)).toBe(403)
})

test('a notification is accepted with 202 and an empty body', async () => {
  const response = await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
  expect([response.status, await response.text()]).toEqual([202, ''])
})

test('every revision can initialize, and an unknown one is offered the newest of 2025', async () => {
  const initialize = async (protocolVersion: string) => {
    const clientInfo = { name: 'test', version: '1' }
    const params = { protocolVersion, capabilities: {}, clientInfo }
    return (await json(await post(server.rpc('initialize', params)))).result
  }
  for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])
    expect((await initialize(revision)).protocolVersion).toBe(revision)
  const { protocolVersion, serverInfo, instructions } = await initialize('1999-01-01')
  expect(protocolVersion).toBe('2025-11-25')
  expect(serverInfo.name).toBe('corkboard')
  expect(instructions.length).toBeLessThan(2048)
  const unknownRevision = await post(list(), { 'mcp-protocol-version': '1999-01-01' })
  expect(unknownRevision.status).toBe(400)
})

test('a batch is answered in order by revisions that support batches', async () => {
  const batch = [
    server.rpc('tools/list', undefined, 'a'),
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'a' } },
    server.rpc('ping', undefined, 'b'),
    server.rpc('tools/dance', undefined, 'b'),
  ]
  for (const headers of [{}, { 'mcp-protocol-version': '2025-03-26' }]) {
    const answers = await json(await post(batch, headers as Record<string, string>))
    expect(answers.map(({ id }: { id: string }) => id)).toEqual(['a', 'b', 'b'])
    expect(answers[2].error.code).toBe(-32601)
  }
  const single = await json(await post([server.rpc('ping')]))
  expect(single).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }
  expect((await post([notification])).status).toBe(202)
})

test('a batch is refused in other revisions, if too long, with initialize or invalid entries', async () => {
  const code = async (body: unknown, headers = {}) => {
    const response = await post(body, headers)
    return [response.status, (await json(response)).error.code]
  }
  const ping = server.rpc('ping')
  expect(await code([ping], { 'mcp-protocol-version': '2025-06-18' })).toEqual([400, -32600])
  expect(await code(new Array(21).fill(ping))).toEqual([400, -32600])
  expect(await code([ping, server.rpc('initialize', {})])).toEqual([400, -32600])
  expect(await code([ping, { jsonrpc: '2.0' }])).toEqual([400, -32600])
})
