import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { catalog } from '../../src/catalog.ts'
import type { Scope } from '../../src/kernel/caller.ts'
import { type AnyOperation, toArray } from '../../src/kernel/operation.ts'
import { schemaVersion } from '../../src/surfaces/mcp/index.ts'
import { callableTools, toolsOf } from '../../src/surfaces/mcp/tools.ts'
import { startTestServer } from './test-server.ts'

const OLDER = ['create_page', 'get_page', 'update_page', 'list_pages', 'search_pages']

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const pageInput = (overrides: object = {}) => ({
  ...{ ticket_number: 'HP-1', content: '# Colours\n\nRed.' },
  ...overrides,
})

test('exactly five page tools have older names, and none of them is in the list of tools', () => {
  const names = [...callableTools(catalog).keys()].filter((name) => !name.startsWith('svc_'))
  expect(names.toSorted()).toEqual(OLDER.toSorted())
  expect([...toolsOf(catalog).keys()].filter((name) => OLDER.includes(name))).toEqual([])
})

test('older tools take flat arguments and return the same as the actions', async () => {
  const { call, cleo } = server
  const created = await call(cleo, 'create_page', pageInput({ title: 'Colours' }))
  const { page_id } = created.data
  expect(created.data).toMatchObject({ title: 'Colours', version: 1, ticket_number: 'HP-1' })
  expect((await call(cleo, 'get_page', { page_id })).data.content).toBe('# Colours\n\nRed.')
  const append = { page_id, mode: 'append', content: 'Or blue.' }
  expect((await call(cleo, 'update_page', append)).data).toMatchObject({ version: 2 })
  const list = await call(cleo, 'list_pages', { ticket_number: 'HP-1', limit: 1 })
  expect(list.data).toMatchObject([{ page_id, version: 2 }])
  expect(list.page).toMatchObject({ total: 1 })
  const get = { action: 'get', input: { page_id } }
  const { data } = await call(cleo, 'svc_pages', get)
  expect((await call(cleo, 'get_page', { page_id })).data).toEqual(data)
  expect((await server.changes()).map(({ type }) => type).slice(-2)).toEqual([
    'page.created',
    'page.updated',
  ])
})

test('older tools take limit, offset and response_format', async () => {
  const { call, cleo } = server
  for (const title of ['One', 'Two']) await call(cleo, 'create_page', pageInput({ title }))
  const listInput = { ticket_number: 'HP-1', sort: 'createdAt', limit: 1 }
  const list = (overrides: object) => call(cleo, 'list_pages', { ...listInput, ...overrides })
  expect((await list({})).data[0].title).toBe('Two')
  expect((await list({ offset: 1 })).data[0].title).toBe('One')
  expect((await list({})).data[0]).not.toHaveProperty('public_id')
  expect((await list({ response_format: 'detailed' })).data[0]).toHaveProperty('public_id')
  const long = await list({ response_format: 'long' })
  expect(long.details).toMatchObject({ field: 'response_format', code: 'out_of_range' })
})

test('an error of an older tool names the tool, and an idempotency key performs a write once', async () => {
  const { call, cleo } = server
  const missing = await call(cleo, 'create_page', { ticket_number: 'HP-1' })
  expect([missing.isError, missing.message]).toEqual([
    true,
    'content is required (tool create_page)',
  ])
  const typo = await call(cleo, 'get_page', { pageid: 1 })
  expect(typo).toMatchObject({ details: { code: 'unknown_field' }, hint: 'Did you mean page_id?' })
  // A tool with an older name does not accept the nested arguments of a listed tool.
  const nested = await call(cleo, 'create_page', { action: 'create', input: pageInput() })
  expect(nested.details).toMatchObject({ code: 'unknown_field' })
  const meta = { 'corkboard/idempotency-key': 'older-1' }
  const first = await call(cleo, 'create_page', pageInput({ title: 'Once' }), meta)
  const again = await call(cleo, 'create_page', pageInput({ title: 'Once' }), meta)
  expect(again.data).toEqual(first.data)
  const staleInput = { page_id: first.data.page_id, content: 'x', if_version: 7 }
  expect(await call(cleo, 'update_page', staleInput)).toMatchObject({
    error: 'Conflict',
    details: { version: 1, current: '# Colours\n\nRed.' },
  })
})

test('older tools without the scope are refused as the actions are', async () => {
  const scopes: Scope[] = ['tasks:read', 'pages:read']
  const reader = await server.authenticateAs(server.cleo.caller.actor_id, 'key', scopes)
  const created = await server.call(server.cleo, 'create_page', pageInput())
  const { page_id } = created.data
  expect((await server.call(reader, 'get_page', { page_id })).data.page_id).toBe(page_id)
  for (const [name, args] of [
    ['create_page', pageInput()],
    ['update_page', { page_id, content: 'x' }],
  ] as const)
    expect(await server.call(reader, name, args)).toMatchObject({
      ...{ isError: true, error: 'Not allowed' },
      hint: 'Use one that has pages:write',
    })
  const stranger = await server.call(server.otto, 'get_page', { page_id })
  expect(stranger).toMatchObject({ isError: true, error: 'Not found' })
})

test('older tools can be called over the SSE transport, and are not listed there', async () => {
  const headers = { authorization: `Bearer ${server.cleo.secret}` }
  const client = new Client({ name: 'test', version: '1' })
  const fetchWithHeaders: typeof fetch = Object.assign(
    (url: string | URL | Request, init?: RequestInit) =>
      fetch(url, {
        ...init,
        headers: { ...Object.fromEntries(new Headers(init?.headers)), ...headers },
      }),
    { preconnect: fetch.preconnect },
  )
  await client.connect(
    new SSEClientTransport(new URL(`${server.base}/sse`), {
      fetch: fetchWithHeaders,
      requestInit: { headers },
    }),
  )
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name).filter((name) => OLDER.includes(name))).toEqual([])
  const { structuredContent } = await client.callTool({
    name: 'create_page',
    arguments: pageInput(),
  })
  expect(structuredContent).toMatchObject({ success: true, data: { version: 1 } })
  await client.close()
})

test('an unknown tool is refused with the nearest name, older or current', async () => {
  for (const [name, suggestion] of [
    ['create_pages', 'create_page'],
    ['svc_page', 'svc_pages'],
  ] as const) {
    const { rpcError } = await server.call(server.cleo, name, {})
    expect(rpcError).toMatchObject({ code: -32602 })
    expect(rpcError.message).toContain(`did you mean ${suggestion}?`)
  }
  expect((await server.call(server.cleo, 'constructor', {})).rpcError.code).toBe(-32602)
})

test('older tools do not change the schema version', () => {
  const operations: readonly AnyOperation[] = catalog
  const withoutAliases = operations.map((op) => ({
    ...op,
    on: { ...op.on, mcp: toArray(op.on.mcp).filter((name) => name.includes('.')) },
  }))
  expect(schemaVersion(withoutAliases)).toBe(schemaVersion(catalog))
})
