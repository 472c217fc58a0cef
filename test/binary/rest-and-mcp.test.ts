import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { catalog } from '../../src/catalog.ts'
import { type AnyOperation, isWrite, toArray } from '../../src/kernel/operation.ts'
import { sampleInput } from '../support/samples.ts'
import { restRequest } from '../support/surface-calls.ts'
import type { World } from '../support/world.ts'
import { startCastServer } from './cast-server.ts'
import { cleanUp, sendRequest } from './cork.ts'

/**
 * Calls every action of every tool over REST and over MCP. Each surface has its own server, so both
 * start with the same data and neither sees the changes of the other.
 */
type Fields = Record<string, unknown>
type CastServer = Awaited<ReturnType<typeof startCastServer>>

const actions = (catalog as readonly AnyOperation[]).filter(({ on }) => on.mcp)
/** Reads run first, on one board; each write gets a new board. */
const inOrder = [...actions.filter((op) => !isWrite(op)), ...actions.filter(isWrite)]

let restServer: CastServer
let mcpServer: CastServer
const clients = new Map<string, Client>()

beforeAll(async () => {
  ;[restServer, mcpServer] = await Promise.all([startCastServer(), startCastServer()])
  await refreshBoards()
})

afterAll(async () => {
  for (const client of clients.values()) await client.close()
  await restServer?.server.end()
  await mcpServer?.server.end()
  cleanUp()
})

let boards: [World, World]
async function refreshBoards(): Promise<void> {
  boards = await Promise.all([restServer.createWorld(), mcpServer.createWorld()])
}

/** One connection for each credential, as clients keep it. */
async function connectClient(secret: string): Promise<Client> {
  const existing = clients.get(secret)
  if (existing) return existing
  const client = new Client({ name: 'comparison', version: '1' })
  const requestInit = { headers: { Authorization: `Bearer ${secret}` } }
  const url = new URL(`${mcpServer.server.url}/mcp`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
  // With the list of tools a client checks every answer against its schema.
  await client.listTools()
  clients.set(secret, client)
  return client
}

async function callOverMcp(
  op: AnyOperation,
  name: string,
  { limit, offset, ...input }: Fields,
  secret = mcpServer.secretFor(op),
) {
  const [tool = '', action] = name.split('.')
  const paging = { limit, offset, response_format: 'detailed' }
  const args = action === undefined ? { ...input, ...paging } : { action, input, ...paging }
  const client = await connectClient(secret)
  return (await client.callTool({ name: tool, arguments: args })).structuredContent
}

async function callOverRest(
  op: AnyOperation,
  route: Parameters<typeof restRequest>[2],
  input: Fields,
  secret = restServer.secretFor(op),
) {
  const { method, path, body } = restRequest(op, input, route)
  return (await sendRequest(restServer.server.url, secret, method, path, body)).body
}

/** The routes whose path parameters are in the input. */
const routesFor = (op: AnyOperation, input: Fields) =>
  toArray(op.on.rest).filter((route) =>
    [...route.matchAll(/:(\w+)/g)].every(([, field]) =>
      field === 'task' ? TASK.some((name) => name in input) : field! in input,
    ),
  )
const TASK = ['task_id', 'task_identifier', 'ticket_number']

/** Replaces what differs between two servers: times, addresses, secrets, ids and log positions. */
function comparable(value: unknown): unknown {
  const aliases = new Map<unknown, string>()
  const alias = (id: unknown) => {
    if (!aliases.has(id)) aliases.set(id, `id ${aliases.size + 1}`)
    return aliases.get(id)
  }
  const normalize = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((one) => normalize(name, one))
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, normalize(k, v)]))
    // A second may pass between the two calls.
    if (name === 'ms' || name === 'seconds') return 'a while'
    if (name === 'next_cursor') return value === null ? null : 'a cursor'
    // Each server runs the rules of its boards at its own time.
    if (name === 'last_fired_at') return 'a moment or never'
    // Each server sends its reminders at its own time, and they are changes too.
    if (name === 'seq' && typeof value === 'number') return 'a position'
    if (/_ids?$|^changed$/.test(name) && typeof value === 'number') return alias(value)
    return typeof value === 'string' ? normalizeText(value, alias) : value
  }
  return normalize('', value)
}

const normalizeText = (text: string, alias: (id: string) => string | undefined) =>
  text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a moment')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (uuid) => alias(uuid)!)
    .replace(/(?:cork(?:agent)?_|whsec_)[\w+/=-]{30,}/g, 'a secret')
    .replace(/\b(?:dlv|msg_test)_\w+/g, 'a delivery')
    .replace(/\bpg_\w+/g, 'a public id')
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, '')
    .replace(/(\/(?:attachments|projects|reports|invitations)\/|#comment-)[\w-]+/g, '$1…')

/** Inboxes are filled a moment after a change, so a read is retried until both sides agree. */
async function compareUntilEqual(
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
  isRetried: boolean,
) {
  for (let tries = 0; ; tries++) {
    const [left, right] = [comparable(await one()), comparable(await other())]
    if (!isRetried || tries === 50 || Bun.deepEquals(left, right)) return [left, right] as const
    await Bun.sleep(20)
  }
}

/** Calls both servers, each on its current board. */
async function callBoth(op: AnyOperation, name: string, index: number) {
  if (isWrite(op)) await refreshBoards()
  const [input, mcpInput] = [
    await sampleInput(op.name, boards[0]),
    await sampleInput(op.name, boards[1]),
  ]
  const routes = routesFor(op, input)
  expect(routes).not.toBeEmpty()
  const one = () => callOverRest(op, routes[index] ?? routes[0]!, input)
  const responses = await compareUntilEqual(
    one,
    () => callOverMcp(op, name, mcpInput),
    !isWrite(op),
  )
  return { responses, routes }
}

test('an agent claims tasks and changes only those under its lease, over REST as over MCP', async () => {
  const operationOf = (name: string) => actions.find((op) => op.name === name)!
  const [restWorld, mcpWorld] = boards
  for (const [name, input, success] of [
    ['tasks.update', (w: World) => ({ task_id: w.tasks.copy.task_id, priority: 'Low' }), false],
    ['tasks.next', (w: World) => ({ project_id: w.board.project_id, claim: true }), true],
    ['tasks.next', (w: World) => ({ project_id: w.board.project_id, ttl: 60_000 }), false],
    ['tasks.update', (w: World) => ({ task_id: w.tasks.copy.task_id, priority: 'Low' }), true],
    ['tasks.update', (w: World) => ({ task_id: w.tasks.logo.task_id, priority: 'Low' }), false],
  ] as const) {
    const op = operationOf(name)
    const route = [op.on.rest].flat().at(-1) as Parameters<typeof restRequest>[2]
    const one = await callOverRest(op, route, input(restWorld), restServer.agentSecret)
    const [tool] = [op.on.mcp].flat() as [string]
    const other = await callOverMcp(op, tool, input(mcpWorld), mcpServer.agentSecret)
    expect(one).toMatchObject({ success })
    // A refusal names the calls of its own surface, and over MCP it ends with an example.
    const apart = { request_id: undefined, message: 0, hint: 0, example: 0 }
    expect(comparable({ ...(other as Fields), ...apart })).toEqual(comparable({ ...one, ...apart }))
  }
  await refreshBoards()
})

describe('the executable gives the same answer over REST and over MCP', () => {
  for (const op of inOrder)
    for (const name of toArray(op.on.mcp))
      test(name, async () => {
        for (let index = 0, last = 1; index < last; index++) {
          const { responses, routes } = await callBoth(op, name, index)
          expect(responses[0]).toMatchObject({ success: true })
          expect([routes[index], responses[1]]).toEqual([routes[index], responses[0]])
          last = routes.length
        }
      })
})

test('the listed tools and actions are exactly those of the catalog', async () => {
  const { tools: listed } = await (await connectClient(mcpServer.secret)).listTools()
  const nouns = ['comments', 'tasks', 'drafts', 'views', 'skills', 'inbox', 'attachments']
  const moreNouns = [
    'custom_fields',
    'decision_requests',
    'labels',
    'feedback',
    'reports',
    'search',
  ]
  const names = listed.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining([...nouns, ...moreNouns].map((noun) => `svc_${noun}`)),
  )
  const listedActions = listed.flatMap(({ name, inputSchema }) =>
    (inputSchema.properties as { action: { enum: string[] } }).action.enum.map(
      (action) => `${name}.${action}`,
    ),
  )
  const catalogActions = actions.flatMap(({ on }) => toArray(on.mcp) as readonly string[])
  expect(listedActions.toSorted()).toEqual(
    catalogActions.filter((name) => name.includes('.')).toSorted(),
  )
})

test('an id of the wrong type is refused: every id but that of a view is an integer', async () => {
  const cases: [name: string, field: string, input: Fields][] = [
    ['svc_comments.delete', 'comment_id', { comment_id: 'x' }],
    ['svc_drafts.publish', 'draft_id', { draft_id: 'x' }],
    ['svc_decision_requests.get', 'decision_request_id', { decision_request_id: 'x' }],
    ['svc_tasks.restore', 'version_id', { task_id: 1, version_id: 'x' }],
    ['svc_inbox.archive', 'notification_ids.0', { notification_ids: ['x'] }],
    ['svc_attachments.get', 'attachment_id', { attachment_id: 'x' }],
    ['svc_views.get', 'view_id', { view_id: true }],
    ['svc_skills.get', 'skill_id', { skill_id: 'x' }],
  ]
  for (const [name, field, input] of cases) {
    const op = actions.find(({ on }) => toArray(on.mcp).some((one) => one === name))!
    expect(await callOverMcp(op, name, input)).toMatchObject({
      ...{ success: false, details: { field, code: 'invalid_type' } },
    })
  }
})

test('the comparison ignores ids, times and log positions and detects other differences', () => {
  const record = {
    task_id: 7,
    title: 'Logo',
    created_at: '2026-11-20T12:00:00.000Z',
    label_ids: [7, 8],
    seq: 49,
  }
  const sameElsewhere = {
    ...record,
    task_id: 9,
    created_at: '2026-11-20T12:00:01.000Z',
    label_ids: [9, 3],
    seq: 51,
  }
  expect(comparable(sameElsewhere)).toEqual(comparable(record))
  expect(comparable({ ...record, title: 'Copy' })).not.toEqual(comparable(record))
  expect(comparable({ ...record, parent_id: 7 })).not.toEqual(
    comparable({ ...record, parent_id: 8 }),
  )
})
