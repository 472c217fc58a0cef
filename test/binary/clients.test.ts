import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { waitUntil } from '../support/wait.ts'
import { type BoardServer, startBoardServer } from './board-server.ts'

/** Every kind of client does the same work, and the resulting records must be the same. */
let server: BoardServer
beforeAll(async () => {
  server = await startBoardServer()
})
afterAll(() => server.close())

interface Caller {
  call(tool: string, action: string, input: object): Promise<Record<string, unknown>>
  close(): Promise<void>
}

const clients: Record<string, () => Promise<Caller>> = {
  HTTP: async () => ({ call: callOverRest, close: async () => {} }),
  'MCP 2025-11-25': () =>
    connectWithSdk(
      (url, headers) => new StreamableHTTPClientTransport(url, { requestInit: { headers } }),
    ),
  'MCP 2025-03-26': () =>
    connectWithSdk(
      (url, headers) => new StreamableHTTPClientTransport(url, { requestInit: { headers } }),
      '2025-03-26',
    ),
  'MCP 2026-07-28': connectWithNewestSdk,
  'MCP over SSE': () =>
    connectWithSdk(
      (url, headers) => new SSEClientTransport(new URL('/sse', url), { requestInit: { headers } }),
    ),
}

async function callOverRest(tool: string, action: string, input: object) {
  const fields = input as Record<string, unknown>
  const routes: Record<string, [string, string]> = {
    'svc_projects.create': ['POST', '/api/v1/projects'],
    'svc_projects.manifest': ['GET', `/api/v1/projects/${fields.project_id}`],
    'svc_tasks.create': ['POST', '/api/v1/tasks'],
    'svc_tasks.update': ['PATCH', `/api/v1/tasks/${fields.ticket_number}`],
    'svc_tasks.get': ['GET', `/api/v1/tasks/${fields.ticket_number}`],
    'svc_tasks.list': ['GET', `/api/v1/tasks?project_id=${fields.project_id}&sort=createdAt:asc`],
  }
  const [method, path] = routes[`${tool}.${action}`]!
  const { ticket_number: _, ...rest } = fields
  const body = method === 'GET' ? undefined : method === 'PATCH' ? rest : fields
  return (await server.http(method, path, { body })).body
}

type Transport = (
  url: URL,
  headers: Record<string, string>,
) => StreamableHTTPClientTransport | SSEClientTransport

async function connectWithSdk(transport: Transport, version?: string): Promise<Caller> {
  const client = new Client({ name: 'test', version: '1' })
  const connection = transport(new URL(`${server.url}/mcp`), {
    Authorization: `Bearer ${server.mcpToken}`,
  })
  await client.connect(connection as StreamableHTTPClientTransport)
  if (version) (connection as StreamableHTTPClientTransport).setProtocolVersion(version)
  return toolCaller(
    (params) => client.callTool(params),
    () => client.close(),
  )
}

async function connectWithNewestSdk(): Promise<Caller> {
  const client = new NewClient(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  )
  const headers = { Authorization: `Bearer ${server.mcpToken}` }
  await client.connect(new NewTransport(new URL(`${server.url}/mcp`), { requestInit: { headers } }))
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
  return toolCaller(
    (params) => client.callTool(params),
    () => client.close(),
  )
}

interface Call {
  name: string
  arguments: Record<string, unknown>
}

const toolCaller = (
  call: (params: Call) => Promise<unknown>,
  close: () => Promise<void>,
): Caller => ({
  async call(tool, action, input) {
    const result = await call({
      name: tool,
      arguments: { action, input, response_format: 'detailed' },
    })
    return (result as { structuredContent: Record<string, unknown> }).structuredContent
  },
  close,
})

/** Replaces what differs from board to board, such as ids and keys, to compare responses. */
const normalize = (value: unknown) =>
  JSON.parse(
    JSON.stringify(value)
      .replace(/"(\w*_id|key|url|\w+_at|ticket_number|next_cursor)":("[^"]*"|\d+)/g, '"$1":"…"')
      .replace(/"[A-Z][A-Z0-9]*-\d+"/g, '"…"')
      // A tool has many actions, so its refusals name the action.
      .replace(/ \(action \w+\)/g, ''),
  )

async function runScenario({ call }: Caller) {
  const responses: unknown[] = []
  const callAndRecord = async (...step: Parameters<Caller['call']>) => {
    const response = await call(...step)
    responses.push(normalize(response))
    return response.data as Record<string, never>
  }
  const { project_id } = await callAndRecord('svc_projects', 'create', {
    team_id: server.team_id,
    title: 'Orchard',
    sections: [{ title: 'Backlog' }, { title: 'Doing' }, { title: 'Done' }],
    labels: [{ name: 'fruit', color: '#33aa55' }],
    tasks: [{ title: 'Plant', section_index: 0, priority: 2 }],
  })
  const { ticket_number } = await callAndRecord('svc_tasks', 'create', {
    project_id,
    title: 'Prune',
    description: '<p>In winter</p>',
    labels: ['fruit'],
    due_date: '2099-02-01',
  })
  await callAndRecord('svc_tasks', 'update', { ticket_number, priority: 'High', estimate: 3 })
  await callAndRecord('svc_tasks', 'update', { ticket_number, priority: 9 })
  await callAndRecord('svc_tasks', 'get', { ticket_number })
  const list = (await call('svc_tasks', 'list', { project_id, sort: 'createdAt:asc' })) as {
    data: unknown
    page: unknown
  }
  responses.push(normalize(list))
  await waitUntilUsed(project_id!)
  await callAndRecord('svc_projects', 'manifest', { project_id })
  return responses.map((response) => {
    // Only MCP ends a refusal with an example.
    const { request_id: _, example: __, ...rest } = response as Record<string, unknown>
    return rest
  })
}

/** Waits for last_used_at, which a follower of the change log sets a moment later. */
const waitUntilUsed = (project_id: number) =>
  waitUntil(async () => {
    const { body } = await server.http('GET', `/api/v1/projects/${project_id}`)
    return body.data.last_used_at !== null
  })

test('plain HTTP and every kind of MCP client see the same records', async () => {
  const results: Record<string, unknown[]> = {}
  for (const [name, open] of Object.entries(clients)) {
    const caller = await open()
    results[name] = await runScenario(caller)
    await caller.close()
  }
  for (const [name, result] of Object.entries(results))
    expect({ [name]: result }).toEqual({ [name]: results.HTTP! })
})
