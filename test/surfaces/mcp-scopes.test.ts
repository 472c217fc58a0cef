import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { catalog } from '../../src/catalog.ts'
import { SCOPES, type Scope } from '../../src/kernel/caller.ts'
import { type AnyOperation, isWrite, toArray } from '../../src/kernel/operation.ts'
import { sampleInput } from '../support/samples.ts'
import { databaseContents } from '../support/tables.ts'
import { startTestServer } from './test-server.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** Lists the tools and their actions as a client with these scopes sees them. */
async function listTools(scopes: readonly Scope[], kind: 'key' | 'agent' = 'key') {
  const owner = kind === 'key' ? server.ada : server.bot
  const actor = await server.authenticateAs(owner.caller.actor_id, kind, [...scopes])
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${actor.secret}` } }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.base}/mcp`), { requestInit }),
  )
  const { tools } = await client.listTools()
  const actions = tools.flatMap(({ name, inputSchema }) => {
    const { action } = inputSchema.properties as { action: { enum: string[] } }
    return action.enum.map((actionName) => `${name}.${actionName}`)
  })
  return { actor, client, tools, actions: new Set(actions) }
}

/** The fields of `input` that a tool of a list shows. */
function inputFields(tools: Awaited<ReturnType<typeof listTools>>['tools'], tool: string) {
  const { inputSchema } = tools.find(({ name }) => name === tool)!
  const { input } = inputSchema.properties as { input: { properties: object } }
  return Object.keys(input.properties)
}

const mcpActions = (catalog as readonly AnyOperation[]).flatMap((op) =>
  toArray(op.on.mcp).map((action) => ({ op, action })),
)
/** Tools with older names can be called, but are not listed. */
const listedActions = mcpActions.filter(({ action }) => action.includes('.'))
const READS = SCOPES.filter((scope) => scope.endsWith(':read'))

test('a read-only token sees only reads, and every tool is marked as read-only', async () => {
  const { tools, actions, client } = await listTools(READS)
  const reads = listedActions.filter(({ op }) => !isWrite(op)).map(({ action }) => action)
  expect([...actions].filter((one) => !one.includes('drill')).sort()).toEqual(reads.sort())
  for (const tool of tools)
    expect([tool.name, tool.annotations?.readOnlyHint]).toEqual([tool.name, true])
  expect(inputFields(tools, 'svc_tasks')).not.toContain('claim')
  await client.close()
})

test('actions that are not shown are refused and change nothing', async () => {
  const { actor, actions, client } = await listTools(READS)
  const hidden = mcpActions.filter(({ op, action }) => isWrite(op) && !actions.has(action))
  expect(hidden.map(({ action }) => action)).toContain('create_page')
  for (const { op, action } of hidden) {
    const input = await sampleInput(op.name, server)
    const before = await databaseContents(server)
    const [name = '', verb] = action.split('.')
    const args = verb === undefined ? input : { action: verb, input }
    const answer = await client.callTool({ name, arguments: args as Record<string, unknown> })
    expect([action, answer.isError]).toEqual([action, true])
    const { error } = answer.structuredContent as { error: string }
    expect(['Not allowed', 'Authentication failed']).toContain(error)
    expect([action, (await databaseContents(server)) === before]).toEqual([action, true])
  }
  const { project_id } = server.board
  const before = await databaseContents(server)
  const claim = { action: 'next', input: { project_id, claim: true } }
  expect((await server.call(actor, 'svc_tasks', claim)).error).toBe('Not allowed')
  expect(await databaseContents(server)).toBe(before)
  await client.close()
})

test('each write scope shows exactly its own actions', async () => {
  for (const scope of SCOPES.filter((one) => !one.endsWith(':read'))) {
    const { actions, client } = await listTools([scope])
    const expected = listedActions
      .filter(({ op }) => op.needs === scope)
      .map(({ action }) => action)
    expect([...actions].filter((one) => !one.includes('drill')).sort()).toEqual(expected.sort())
    await client.close()
  }
})

test('an agent sees no action that manages agents', async () => {
  const { actions, tools, client } = await listTools(SCOPES, 'agent')
  const agentActions = [...actions].filter((one) => one.startsWith('svc_agents.'))
  expect(agentActions.sort()).toEqual(['svc_agents.list', 'svc_agents.presence'])
  expect(inputFields(tools, 'svc_tasks')).toContain('claim')
  await client.close()
})
