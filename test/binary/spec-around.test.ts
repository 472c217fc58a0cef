import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { catalog } from '../../src/catalog.ts'
import { type AnyOperation, isWrite, toArray } from '../../src/kernel/operation.ts'
import { restCall } from '../ask.ts'
import { samples } from '../samples.ts'
import type { World } from '../world.ts'
import { company } from './company.ts'
import { ask, sweep } from './cork.ts'

/**
 * Calls every action of every tool over REST and over MCP. Each surface has its own server, so both
 * start with the same data and neither sees the changes of the other.
 */
type Fields = Record<string, unknown>
type House = Awaited<ReturnType<typeof company>>

const actions = (catalog as readonly AnyOperation[]).filter(({ on }) => on.mcp)
/** Reads run first, on one board; each write gets a new board. */
const inOrder = [...actions.filter((op) => !isWrite(op)), ...actions.filter(isWrite)]

let rest: House
let tools: House
const clients = new Map<string, Client>()

beforeAll(async () => {
  ;[rest, tools] = await Promise.all([company(), company()])
  await refurnished()
}, 60_000)

afterAll(async () => {
  for (const client of clients.values()) await client.close()
  await rest?.server.end()
  await tools?.server.end()
  sweep()
})

let boards: [World, World]
async function refurnished(): Promise<void> {
  boards = await Promise.all([rest.played(), tools.played()])
}

/** One connection for each credential, as clients keep it. */
async function clientOf(secret: string): Promise<Client> {
  const open = clients.get(secret)
  if (open) return open
  const client = new Client({ name: 'around', version: '1' })
  const requestInit = { headers: { Authorization: `Bearer ${secret}` } }
  const url = new URL(`${tools.server.url}/mcp`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
  // With the list of tools a client checks every answer against its schema.
  await client.listTools()
  clients.set(secret, client)
  return client
}

async function overMcp(
  op: AnyOperation,
  name: string,
  { limit, offset, ...input }: Fields,
  secret = tools.secretFor(op),
) {
  const [tool = '', action] = name.split('.')
  const top = { limit, offset, response_format: 'detailed' }
  const args = action === undefined ? { ...input, ...top } : { action, input, ...top }
  const client = await clientOf(secret)
  return (await client.callTool({ name: tool, arguments: args })).structuredContent
}

async function overRest(
  op: AnyOperation,
  route: Parameters<typeof restCall>[2],
  input: Fields,
  secret = rest.secretFor(op),
) {
  const { method, path, body } = restCall(op, input, route)
  return (await ask(rest.server.url, secret, method, path, body)).body
}

/** The routes whose path parameters are in the input. */
const routesFor = (op: AnyOperation, input: Fields) =>
  toArray(op.on.rest).filter((route) =>
    [...route.matchAll(/:(\w+)/g)].every(([, field]) =>
      field === 'task' ? TASK.some((name) => name in input) : field! in input,
    ),
  )
const TASK = ['task_id', 'task_identifier', 'ticket_number']

/** Replaces what differs between two servers: times, addresses, secrets and ids. */
function comparable(told: unknown): unknown {
  const seen = new Map<unknown, string>()
  const alias = (id: unknown) => {
    if (!seen.has(id)) seen.set(id, `id ${seen.size + 1}`)
    return seen.get(id)
  }
  const plain = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((one) => plain(name, one))
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, plain(k, v)]))
    // A second may pass between the two calls.
    if (name === 'ms' || name === 'seconds') return 'a while'
    if (name === 'next_cursor') return value === null ? null : 'a cursor'
    if (/_ids?$|^changed$/.test(name) && typeof value === 'number') return alias(value)
    return typeof value === 'string' ? worded(value, alias) : value
  }
  return plain('', told)
}

const worded = (text: string, alias: (id: string) => string | undefined) =>
  text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a moment')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (uuid) => alias(uuid)!)
    .replace(/(?:cork(?:agent)?_|whsec_)[\w+/=-]{30,}/g, 'a secret')
    .replace(/\b(?:dlv|msg_test)_\w+/g, 'a delivery')
    .replace(/\bpg_\w+/g, 'a public id')
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, '')
    .replace(/(\/(?:attachments|projects|reports|invitations)\/|#comment-)[\w-]+/g, '$1…')

/** Inboxes are filled a moment after a change, so a read is retried until both sides agree. */
async function alike(one: () => Promise<unknown>, other: () => Promise<unknown>, again: boolean) {
  for (let tries = 0; ; tries++) {
    const [left, right] = [comparable(await one()), comparable(await other())]
    if (!again || tries === 50 || Bun.deepEquals(left, right)) return [left, right] as const
    await Bun.sleep(20)
  }
}

/** Calls both servers, each on its current board. */
async function asked(op: AnyOperation, name: string, nth: number) {
  if (isWrite(op)) await refurnished()
  const sampled = (w: World) => samples[op.name]?.(w) ?? {}
  const [input, same] = [await sampled(boards[0]), await sampled(boards[1])]
  const routes = routesFor(op, input)
  expect(routes).not.toBeEmpty()
  const one = () => overRest(op, routes[nth] ?? routes[0]!, input)
  const told = await alike(one, () => overMcp(op, name, same), !isWrite(op))
  return { told, routes }
}

test('an agent claims tasks and changes only those under its lease, over REST as over MCP', async () => {
  const operationOf = (name: string) => actions.find((op) => op.name === name)!
  const [here, there] = boards
  for (const [name, input, success] of [
    ['tasks.update', (w: World) => ({ task_id: w.tasks.copy.task_id, priority: 'Low' }), false],
    ['tasks.next', (w: World) => ({ project_id: w.board.project_id, claim: true }), true],
    ['tasks.next', (w: World) => ({ project_id: w.board.project_id, ttl: 60_000 }), false],
    ['tasks.update', (w: World) => ({ task_id: w.tasks.link.task_id, priority: 'Low' }), true],
    ['tasks.update', (w: World) => ({ task_id: w.tasks.logo.task_id, priority: 'Low' }), false],
  ] as const) {
    const op = operationOf(name)
    const route = [op.on.rest].flat().at(-1) as Parameters<typeof restCall>[2]
    const one = await overRest(op, route, input(here), rest.agentSecret)
    const [tool] = [op.on.mcp].flat() as [string]
    const other = await overMcp(op, tool, input(there), tools.agentSecret)
    expect(one).toMatchObject({ success })
    // Over MCP a refusal names the action as well.
    const { request_id: _, ...told } = other as Fields
    expect(comparable({ ...told, message: 0 })).toEqual(
      comparable({ ...one, request_id: undefined, message: 0 }),
    )
  }
  await refurnished()
})

describe('the executable gives the same answer over REST and over MCP', () => {
  for (const op of inOrder)
    for (const name of toArray(op.on.mcp))
      test(name, async () => {
        for (let nth = 0, last = 1; nth < last; nth++) {
          const { told, routes } = await asked(op, name, nth)
          expect(told[0]).toMatchObject({ success: true })
          expect([routes[nth], told[1]]).toEqual([routes[nth], told[0]])
          last = routes.length
        }
      })
})

test('the listed tools and actions are exactly those of the catalog', async () => {
  const { tools: listed } = await (await clientOf(tools.secret)).listTools()
  const around = ['comments', 'tasks', 'drafts', 'views', 'skills', 'inbox', 'attachments']
  const more = ['custom_fields', 'decision_requests', 'labels', 'feedback', 'reports', 'search']
  const names = listed.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining([...around, ...more].map((noun) => `svc_${noun}`)))
  const offered = listed.flatMap(({ name, inputSchema }) =>
    (inputSchema.properties as { action: { enum: string[] } }).action.enum.map(
      (action) => `${name}.${action}`,
    ),
  )
  const called = actions.flatMap(({ on }) => toArray(on.mcp) as readonly string[])
  expect(offered.toSorted()).toEqual(called.filter((name) => name.includes('.')).toSorted())
})

test('an id of the wrong type is refused: every id but that of a view is an integer', async () => {
  const asked: [name: string, field: string, input: Fields][] = [
    ['svc_comments.delete', 'comment_id', { comment_id: '1' }],
    ['svc_drafts.publish', 'draft_id', { draft_id: '1' }],
    ['svc_decision_requests.get', 'decision_request_id', { decision_request_id: '1' }],
    ['svc_tasks.restore', 'version_id', { task_id: 1, version_id: '1' }],
    ['svc_inbox.archive', 'notification_ids.0', { notification_ids: ['1'] }],
    ['svc_attachments.get', 'attachment_id', { attachment_id: '1' }],
    ['svc_views.get', 'view_id', { view_id: 1 }],
    ['svc_skills.get', 'skill_id', { skill_id: '1' }],
  ]
  for (const [name, field, input] of asked) {
    const op = actions.find(({ on }) => toArray(on.mcp).some((one) => one === name))!
    expect(await overMcp(op, name, input)).toMatchObject({
      ...{ success: false, details: { field, code: 'invalid_type' } },
    })
  }
})

test('the comparison ignores ids and times and detects other differences', () => {
  const told = {
    task_id: 7,
    title: 'Logo',
    created_at: '2026-11-20T12:00:00.000Z',
    label_ids: [7, 8],
  }
  const elsewhere = {
    ...told,
    task_id: 9,
    created_at: '2026-11-20T12:00:01.000Z',
    label_ids: [9, 3],
  }
  expect(comparable(elsewhere)).toEqual(comparable(told))
  expect(comparable({ ...told, title: 'Copy' })).not.toEqual(comparable(told))
  expect(comparable({ ...told, parent_id: 7 })).not.toEqual(comparable({ ...told, parent_id: 8 }))
})
