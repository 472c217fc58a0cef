import { expect, test } from 'bun:test'
import { openFiles } from '../../src/files/index.ts'
import { type Authenticator, Gateway, type ServedRequest } from '../../src/surfaces/gateway.ts'
import { mcp } from '../../src/surfaces/mcp/index.ts'
import { json, startTestServer, testOperations } from './test-server.ts'

/** The tools behind a gateway that records requests and failures. */
async function appBehindGateway(overrides: Partial<Authenticator> = {}) {
  const { ada, dispatch } = await stoppedServer()
  const servedRequests: ServedRequest[] = []
  const failures: [requestId: string, error: unknown][] = []
  const gateway = new Gateway({
    hasReplicas: () => false,
    url: () => 'https://board.example',
    identify: async () => ({ caller: ada.caller, tier: 'base' }),
    resourceAt: () => ({ path: '/mcp', scopes: [] }),
    count: () => undefined,
    clientOf: (_, address) => ({ address, isHttps: false, isUntrustedProxy: false }),
    deviceOf: () => undefined,
    checkBody: () => {},
    onServed: (served) => void servedRequests.push(served),
    onFailure: (requestId, error) => void failures.push([requestId, error]),
    ...overrides,
  })
  const files = openFiles('', undefined)
  const server = { url: 'https://board.example', version: '1', schema_version: 'a', files }
  const app = mcp({
    ...{ catalog: testOperations().operations, dispatch, gateway, server },
    refreshCaller: async (caller) => caller,
    openChanges: () => Promise.reject(new Error('There are no changes')),
    manual: () => Promise.reject(new Error('There is no manual')),
  })
  const post = (method: string, params?: unknown, headers = {}) =>
    app.handle(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, ...(params ? { params } : {}) }),
      }),
    )
  return { post, servedRequests, failures }
}

async function stoppedServer() {
  const server = await startTestServer()
  await server.close()
  return server
}

test('an error inside a call is logged with the request id that the model receives', async () => {
  const { post, servedRequests, failures } = await appBehindGateway()
  const response = await post('tools/call', {
    name: 'svc_skills',
    arguments: { action: 'drill_fail' },
  })
  const { result } = await json(response)
  expect(response.status).toBe(200)
  expect(failures).toHaveLength(1)
  const [requestId, error] = failures[0]!
  expect(String(error)).toContain('swordfish')
  expect(result.structuredContent.request_id).toBe(requestId)
  expect(response.headers.get('x-request-id')).toBe(requestId)
  expect(servedRequests.map(({ status, route }) => [status, route])).toEqual([[200, '/mcp']])
})

test('a request over the rate limit is refused with 429 and retry-after, as JSON-RPC', async () => {
  const allowance = { limit: 2, remaining: 0, reset: 30, exceeded: true }
  const { post } = await appBehindGateway({ count: () => allowance })
  const response = await post('tools/list')
  expect(response.status).toBe(429)
  expect(response.headers.get('retry-after')).toBe('30')
  const { error } = await json(response)
  expect(error).toMatchObject({ code: -32000, data: { error: 'Too many requests' } })
})

test('pages of the public address may call, and other origins are refused', async () => {
  const { post } = await appBehindGateway()
  const status = async (origin: string) => (await post('ping', undefined, { origin })).status
  expect(await status('https://board.example')).toBe(200)
  expect(await status('http://board.example')).toBe(403)
  expect(await status('https://board.example.evil.example')).toBe(403)
})

test('stopping the server ends its open streams', async () => {
  const { send, ada, app, close } = await startTestServer()
  const stream = await send('/sse', ada, undefined, {}, 'GET')
  const reader = stream.body!.getReader()
  await reader.read()
  for (const { fn } of app.event.stop ?? []) await fn(app)
  expect((await reader.read()).done).toBe(true)
  const lateStream = await send('/sse', ada, undefined, {}, 'GET')
  expect(await lateStream.text()).toContain('event: endpoint')
  await close()
})
