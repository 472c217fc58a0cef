import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { type House, openHouse } from './house.ts'

/** Every kind of client does the same work, and the resulting records must be the same. */
let house: House
beforeAll(async () => {
  house = await openHouse()
}, 60_000)
afterAll(() => house.close())

interface Caller {
  call(tool: string, action: string, input: object): Promise<Record<string, unknown>>
  close(): Promise<void>
}

const clients: Record<string, () => Promise<Caller>> = {
  HTTP: async () => ({ call: overRest, close: async () => {} }),
  'MCP 2025-11-25': () =>
    overSdk((url, headers) => new StreamableHTTPClientTransport(url, { requestInit: { headers } })),
  'MCP 2025-03-26': () =>
    overSdk(
      (url, headers) => new StreamableHTTPClientTransport(url, { requestInit: { headers } }),
      '2025-03-26',
    ),
  'MCP 2026-07-28': overNewest,
  'MCP over SSE': () =>
    overSdk(
      (url, headers) => new SSEClientTransport(new URL('/sse', url), { requestInit: { headers } }),
    ),
}

async function overRest(tool: string, action: string, input: object) {
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
  return (await house.http(method, path, { body })).body
}

type Transport = (
  url: URL,
  headers: Record<string, string>,
) => StreamableHTTPClientTransport | SSEClientTransport

async function overSdk(transport: Transport, version?: string): Promise<Caller> {
  const client = new Client({ name: 'test', version: '1' })
  const made = transport(new URL(`${house.url}/mcp`), { Authorization: `Bearer ${house.token}` })
  await client.connect(made as StreamableHTTPClientTransport)
  if (version) (made as StreamableHTTPClientTransport).setProtocolVersion(version)
  return toolCaller(
    (params) => client.callTool(params),
    () => client.close(),
  )
}

async function overNewest(): Promise<Caller> {
  const client = new NewClient(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  )
  const headers = { Authorization: `Bearer ${house.token}` }
  await client.connect(new NewTransport(new URL(`${house.url}/mcp`), { requestInit: { headers } }))
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
const alike = (value: unknown) =>
  JSON.parse(
    JSON.stringify(value)
      .replace(/"(\w*_id|key|url|\w+_at|ticket_number|next_cursor)":("[^"]*"|\d+)/g, '"$1":"…"')
      .replace(/"[A-Z][A-Z0-9]*-\d+"/g, '"…"')
      // A tool has many actions, so its refusals name the action.
      .replace(/ \(action \w+\)/g, ''),
  )

async function story({ call }: Caller) {
  const told: unknown[] = []
  const tell = async (...step: Parameters<Caller['call']>) => {
    const answer = await call(...step)
    told.push(alike(answer))
    return answer.data as Record<string, never>
  }
  const { project_id } = await tell('svc_projects', 'create', {
    team_id: house.team_id,
    title: 'Orchard',
    sections: [{ title: 'Backlog' }, { title: 'Doing' }, { title: 'Done' }],
    labels: [{ name: 'fruit', color: '#33aa55' }],
    tasks: [{ title: 'Plant', section_index: 0, priority: 2 }],
  })
  const { ticket_number } = await tell('svc_tasks', 'create', {
    project_id,
    title: 'Prune',
    description: '<p>In winter</p>',
    labels: ['fruit'],
    due_date: '2027-02-01',
  })
  await tell('svc_tasks', 'update', { ticket_number, priority: 'High', estimate: 3 })
  await tell('svc_tasks', 'update', { ticket_number, priority: 9 })
  await tell('svc_tasks', 'get', { ticket_number })
  const list = (await call('svc_tasks', 'list', { project_id, sort: 'createdAt:asc' })) as {
    data: unknown
    page: unknown
  }
  told.push(alike(list))
  await used(project_id!)
  await tell('svc_projects', 'manifest', { project_id })
  return told.map((answer) => {
    const { request_id: _, ...rest } = answer as Record<string, unknown>
    return rest
  })
}

/** Waits for last_used_at, which a follower of the change log sets a moment later. */
async function used(project_id: number) {
  for (let i = 0; i < 100; i++) {
    const { body } = await house.http('GET', `/api/v1/projects/${project_id}`)
    if (body.data.last_used_at !== null) return
    await Bun.sleep(20)
  }
}

test('plain HTTP and every kind of MCP client see the same records', async () => {
  const tales: Record<string, unknown[]> = {}
  for (const [name, open] of Object.entries(clients)) {
    const caller = await open()
    tales[name] = await story(caller)
    await caller.close()
  }
  for (const [name, tale] of Object.entries(tales))
    expect({ [name]: tale }).toEqual({ [name]: tales.HTTP! })
}, 60_000)
