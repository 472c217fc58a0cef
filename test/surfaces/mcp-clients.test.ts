import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewHttp,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { refreshCaller } from '../../src/features/identity/callers/model/index.ts'
import type { Caller } from '../../src/kernel/caller.ts'
import { schemaVersion } from '../../src/surfaces/mcp/index.ts'
import { EventStream, Streams } from '../../src/surfaces/mcp/stream.ts'
import { StreamLimit } from '../../src/surfaces/mcp/stream-limit.ts'
import { json, startTestServer } from './test-server.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const bearer = (actor: { secret: string }) => ({
  requestInit: { headers: { authorization: `Bearer ${actor.secret}` } },
})
const info = { name: 'test', version: '1' }
const listRows = { name: 'svc_skills', arguments: { action: 'drill_list' } }

test('the 2025 client lists and calls tools over Streamable HTTP', async () => {
  const client = new Client(info)
  const transport = new StreamableHTTPClientTransport(
    new URL(`${server.base}/mcp`),
    bearer(server.bot),
  )
  await client.connect(transport)
  expect(transport.protocolVersion).toBe('2025-11-25')
  expect(client.getServerVersion()?.name).toBe('corkboard')
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('svc_skills')
  const answer = await client.callTool(listRows)
  expect(answer.structuredContent).toMatchObject({ success: true, data: [{ n: 1 }, {}, {}] })
  const refused = await client.callTool({ name: 'svc_skills', arguments: { action: 'no' } })
  expect(refused.isError).toBe(true)
  await client.close()
})

test('the newest client negotiates the newest revision and calls tools', async () => {
  const client = new NewClient(info, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new NewHttp(new URL(`${server.base}/mcp`), bearer(server.bot)))
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
  expect(client.getInstructions()).toContain('hello')
  expect(client.getServerVersion()).toMatchObject({
    ...{ name: 'corkboard', title: 'Corkboard', websiteUrl: 'http://localhost' },
    icons: [{ src: 'http://localhost/icon.svg' }],
  })
  const { tools, _meta } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('svc_skills')
  expect(_meta?.['corkboard/schema_version']).toBeString()
  const answer = await client.callTool(listRows)
  expect(answer.structuredContent).toMatchObject({ success: true })
  await expect(client.callTool({ name: 'svc_nothing', arguments: {} })).rejects.toThrow(
    'svc_nothing',
  )
  await client.close()
})

test('a list of tools has a cache lifetime in the newest revision only', async () => {
  const revision = '2026-07-28'
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': info,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const headers = { 'mcp-protocol-version': revision, 'mcp-method': 'tools/list' }
  const body = server.rpc('tools/list', { _meta: envelope })
  for (const accept of ['application/json', 'text/event-stream']) {
    const text = await (await server.send('/mcp', server.ada, body, { ...headers, accept })).text()
    const { result } = JSON.parse(text.slice(text.indexOf('{')))
    expect(result).toMatchObject({ ttlMs: 300_000, cacheScope: 'private' })
    expect(result._meta['corkboard/schema_version']).toBeString()
  }
  const older = await json(await server.send('/mcp', server.ada, server.rpc('tools/list')))
  expect(older.result).not.toHaveProperty('ttlMs')
  expect(older.result._meta['corkboard/schema_version']).toBeString()
  const headless = await server.send('/mcp', server.ada, body, {
    'mcp-protocol-version': '2025-11-25',
  })
  expect(headless.status).toBe(400)
})

test('the 2024 client lists and calls tools over SSE', async () => {
  const client = new Client(info)
  await client.connect(new SSEClientTransport(new URL(`${server.base}/sse`), bearer(server.bot)))
  expect((await client.listTools()).tools.length).toBeGreaterThan(0)
  const answer = await client.callTool(listRows)
  expect(answer.structuredContent).toMatchObject({ success: true })
  await client.close()
})

test('a stream accepts messages only from the caller who opened it', async () => {
  const stream = await server.send('/sse', server.ada, undefined, {}, 'GET')
  expect(stream.headers.get('content-type')).toBe('text/event-stream')
  const reader = stream.body!.getReader()
  const read = async () => new TextDecoder().decode((await reader.read()).value)
  const path = /data: (\S+)/.exec(await read())![1]!
  const ping = server.rpc('ping', undefined, 'mine')
  expect((await server.send(path, server.otto, ping)).status).toBe(404)
  expect((await server.send(path, undefined, ping)).status).toBe(401)
  expect((await server.send('/message', server.ada, ping)).status).toBe(404)
  expect((await server.send(path, server.ada, '{')).status).toBe(400)
  const invalid = await server.send(path, server.ada, { ping: 1 })
  expect([invalid.status, (await json(invalid)).error.code]).toEqual([400, -32600])
  expect((await server.send(path, server.ada, ping)).status).toBe(202)
  expect(await read()).toBe(
    `event: message\ndata: ${JSON.stringify({ result: {}, jsonrpc: '2.0', id: 'mine' })}\n\n`,
  )
  await reader.cancel()
  const isClosed = async () => (await server.send(path, server.ada, ping)).status === 404
  for (let i = 0; i < 50 && !(await isClosed()); i++) await Bun.sleep(10)
  expect(await isClosed()).toBe(true)
})

test('a caller can open 100 streams at most, and closing one allows another', async () => {
  const headers = { authorization: `Bearer ${server.ben.secret}` }
  // A response without a reference is garbage-collected, and its stream is closed.
  const openStreams: Response[] = []
  const openStream = async () => {
    const response = await fetch(`${server.base}/sse`, { headers })
    if (response.status === 200) openStreams.push(response)
    return response.status
  }
  for (let i = 0; i < 100; i++) expect(await openStream()).toBe(200)
  expect(await openStream()).toBe(429)
  await openStreams.pop()!.body!.cancel()
  let status = await openStream()
  for (let i = 0; i < 50 && status !== 200; i++) {
    await Bun.sleep(10)
    status = await openStream()
  }
  expect(status).toBe(200)
  await Promise.all(openStreams.map(({ body }) => body!.cancel()))
})

test('an idle stream is pinged, and a stream that nobody reads is closed', async () => {
  const idleStream = new EventStream(5)
  const reader = idleStream.response.body!.getReader()
  await reader.read()
  expect(new TextDecoder().decode((await reader.read()).value)).toBe(': ping\n\n')
  await idleStream.close()
  const unreadStream = new EventStream()
  let closed = false
  unreadStream.onclose = () => {
    closed = true
  }
  const long = { jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(9 * 1024 * 1024) } } as const
  for (let i = 0; i < 2; i++) await unreadStream.send(long)
  expect(closed).toBe(false)
  await unreadStream.send(long)
  expect(closed).toBe(true)
})

test('an SSE stream ends soon after its token is revoked', async () => {
  const agent = await server.addAgent(server.team_id, server.cleo, 'Listener')
  const refresh = (caller: Caller) =>
    server.store.read((tx) => refreshCaller(tx, caller, server.clock.now))
  const stream = new Streams(refresh, new StreamLimit(), 5).open(agent.caller)
  const closed = new Promise<string>((done) => {
    stream.onclose = () => done('closed')
  })
  expect(await Promise.race([closed, Bun.sleep(50)])).toBeUndefined()
  await server.cleo['agents.revoke']({ agent_id: agent.caller.agent_id! })
  expect(await Promise.race([closed, Bun.sleep(2000)])).toBe('closed')
})

test('a caller sees the tools and actions that its scopes allow, and no others', async () => {
  const listTools = async (scopes: Parameters<typeof server.authenticateAs>[2]) => {
    const actor = await server.authenticateAs(server.ada.caller.actor_id, 'key', scopes)
    const { result } = await json(await server.send('/mcp', actor, server.rpc('tools/list')))
    return result.tools as Tool[]
  }
  const skills = (tools: Tool[]) => tools.find(({ name }) => name === 'svc_skills')
  const all = skills(await listTools(['tasks:read', 'tasks:write']))!
  expect(all.inputSchema.properties.action.enum).toContain('drill_make')
  expect(all.annotations).toMatchObject({ readOnlyHint: false })
  expect(all.annotations).not.toHaveProperty('idempotentHint')
  const readTool = skills(await listTools(['tasks:read']))!
  expect(readTool.inputSchema.properties.action.enum).toEqual([
    'drill_list',
    'drill_get',
    'drill_fail',
  ])
  expect(readTool.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
  expect(readTool.description).not.toContain('drill_make')
  expect(skills(await listTools(['projects:read']))).toBeUndefined()
})

interface Tool {
  name: string
  description: string
  annotations?: object
  inputSchema: { properties: { action: { enum: string[] } } }
}

test('the schema version changes only if the schemas change', () => {
  const [list, ...rest] = server.operations
  expect(schemaVersion(server.operations)).toBe(schemaVersion([...server.operations]))
  expect(schemaVersion([{ ...list!, needs: 'projects:read', dependsOn: [] }, ...rest])).toBe(
    schemaVersion(server.operations),
  )
  expect(schemaVersion(rest)).not.toBe(schemaVersion(server.operations))
})
