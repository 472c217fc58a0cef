import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { catalog } from '../../src/catalog.ts'
import { type AnyOperation, isWrite, toArray } from '../../src/kernel/operation.ts'
import { sampleInput } from '../support/samples.ts'
import { databaseContents } from '../support/tables.ts'
import { json, startTestServer } from './test-server.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

interface Listed {
  name: string
  inputSchema: { properties: { action: { enum: string[] } } }
}

async function connect(path: string, headers: Record<string, string> = {}) {
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${server.ada.secret}`, ...headers } }
  const url = new URL(path, server.base)
  const transport = path.startsWith('/sse')
    ? new SSEClientTransport(url, { requestInit })
    : new StreamableHTTPClientTransport(url, { requestInit })
  await client.connect(transport as SSEClientTransport)
  return client
}

async function listedNames(path: string, headers?: Record<string, string>) {
  const client = await connect(path, headers)
  const { tools } = await client.listTools()
  await client.close()
  return tools.map(({ name }) => name)
}

const send = async (path: string, method: string, params?: object, headers = {}) =>
  server.send(path, server.ada, server.rpc(method, params), headers)

test('the URL or a header selects tools, with or without their prefix', async () => {
  const both = ['svc_comments', 'svc_tasks']
  for (const path of ['/mcp', '/sse', '/mcp/readonly']) {
    expect(await listedNames(`${path}?tools=tasks,comments`)).toEqual(both)
    expect(await listedNames(`${path}?tools=svc_tasks, Comments,tasks`)).toEqual(both)
    expect(await listedNames(`${path}?tools=tasks&tools=comments`)).toEqual(both)
  }
  expect(await listedNames('/mcp', { 'X-MCP-Tools': 'svc_comments,tasks' })).toEqual(both)
  const onlyBoth = await listedNames('/mcp?tools=tasks,pages', { 'X-MCP-Tools': 'tasks,inbox' })
  expect(onlyBoth).toEqual(['svc_tasks'])
  expect((await listedNames('/mcp')).length).toBe(20)
})

test('a tool that is not selected is refused with the way to select it, and changes nothing', async () => {
  const before = await databaseContents(server)
  const args = { action: 'add', input: { ticket_number: 'HP-1', text: 'Not allowed' } }
  const hint = 'limited to svc_tasks; to use svc_comments, add it to "tools" in the URL'
  for (const path of ['/mcp?tools=tasks', '/sse?tools=tasks']) {
    const client = await connect(path)
    const call = client.callTool({ name: 'svc_comments', arguments: args })
    await expect(call).rejects.toThrow(hint)
    const read = await client.callTool({
      name: 'svc_tasks',
      arguments: { action: 'get', input: { ticket_number: 'HP-1' } },
    })
    expect(read.isError).toBeUndefined()
    await client.close()
  }
  expect(await databaseContents(server)).toBe(before)
})

test('a legacy tool belongs to the tool that has its operation', async () => {
  const call = { name: 'list_pages', arguments: { ticket_number: 'HP-1' } }
  const allowed = await json(await send('/mcp?tools=pages', 'tools/call', call))
  expect(allowed.result.structuredContent.success).toBe(true)
  const refused = await json(await send('/mcp?tools=tasks', 'tools/call', call))
  expect(refused.error.message).toContain('limited to svc_tasks')
})

test('a read-only connection lists only actions that read', async () => {
  const reads = (catalog as readonly AnyOperation[])
    .filter((op) => !isWrite(op))
    .flatMap((op) => toArray(op.on.mcp))
    .filter((action) => action.includes('.'))
  for (const [path, header] of [
    ['/mcp/readonly', {}],
    ['/mcp?read_only=true', {}],
    ['/mcp?read_only=false&read_only=true', {}],
    ['/mcp', { 'x-mcp-readonly': 'true' }],
  ] as const) {
    const answer = await json(await send(path, 'tools/list', undefined, header))
    const actions = (answer.result.tools as Listed[]).flatMap(({ name, inputSchema }) =>
      inputSchema.properties.action.enum.map((action) => `${name}.${action}`),
    )
    expect(actions.filter((one) => !one.includes('drill')).sort()).toEqual(reads.toSorted())
  }
  for (const path of ['/mcp?read_only=false', '/mcp?read_only=0']) {
    const { result } = await json(await send(path, 'tools/list'))
    expect(JSON.stringify(result)).toContain('drill_make')
  }
})

test('a read-only connection refuses every write with the reason, and changes nothing', async () => {
  const writes = (catalog as readonly AnyOperation[]).filter((op) => op.on.mcp && isWrite(op))
  expect(writes.length).toBeGreaterThan(60)
  for (const op of writes) {
    const input = await sampleInput(op.name, server)
    const before = await databaseContents(server)
    for (const fullName of toArray(op.on.mcp)) {
      const [name, action] = fullName.split('.')
      const call = { name, arguments: action === undefined ? input : { action, input } }
      const { result } = await json(await send('/mcp/readonly', 'tools/call', call))
      const { error, message } = result.structuredContent
      expect([fullName, error, message]).toEqual([
        fullName,
        'Not allowed',
        expect.stringContaining('This connection only reads'),
      ])
    }
    expect([op.name, (await databaseContents(server)) === before]).toEqual([op.name, true])
  }
  const before = await databaseContents(server)
  const claim = { action: 'next', input: { project_id: server.board.project_id, claim: true } }
  const call = { name: 'svc_tasks', arguments: claim }
  const { result } = await json(await send('/mcp?read_only', 'tools/call', call))
  expect(result.structuredContent.message).toContain('This connection only reads')
  expect(await databaseContents(server)).toBe(before)
})

test('an unknown tool, a wrong value and a misspelled parameter are refused', async () => {
  for (const [path, message, hint] of [
    ['/mcp?tools=taks', 'There is no tool taks; did you mean tasks?', 'The tools are projects,'],
    ['/mcp?tools=', 'tools names no tool', 'The tools are projects,'],
    ['/mcp?tool=tasks', 'tool is not a known parameter', 'Did you mean tools?'],
    ['/mcp?readonly=true', 'readonly is not a known parameter', 'Did you mean read_only?'],
    ['/mcp?read_only=yes', 'read_only must be true or false', undefined],
  ] as const) {
    const response = await send(path, 'tools/list')
    const { error } = await json(response)
    expect([path, response.status, error.message]).toEqual([path, 400, message])
    if (hint) expect(error.data.hint).toStartWith(hint)
  }
  expect((await send('/mcp?config=abc', 'tools/list')).status).toBe(200)
  expect((await server.send('/mcp/readonly', server.ada, undefined, {}, 'GET')).status).toBe(405)
  expect((await server.send('/mcp/readonly', undefined, {})).status).toBe(401)
})
