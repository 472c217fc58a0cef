import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { catalog } from '../../src/catalog.ts'
import { SCOPES, type Scope } from '../../src/kernel/caller.ts'
import { type AnyOperation, isWrite, toArray } from '../../src/kernel/operation.ts'
import { samples } from '../samples.ts'
import { everything } from '../tables.ts'
import { openHouse } from './drill.ts'

let house: Awaited<ReturnType<typeof openHouse>>
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

/** What a client sees of the tools: actions, texts and whether they only read. */
async function listed(scopes: readonly Scope[], kind: 'key' | 'agent' = 'key') {
  const holder = kind === 'key' ? house.ada : house.bot
  const actor = await house.as(holder.caller.actor_id, kind, [...scopes])
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${actor.secret}` } }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${house.base}/mcp`), { requestInit }),
  )
  const { tools } = await client.listTools()
  const actions = tools.flatMap(({ name, inputSchema }) => {
    const { action } = inputSchema.properties as { action: { enum: string[] } }
    return action.enum.map((one) => `${name}.${one}`)
  })
  return { actor, client, tools, actions: new Set(actions) }
}

const called = (catalog as readonly AnyOperation[]).flatMap((op) =>
  toArray(op.on.mcp).map((action) => ({ op, action })),
)
/** Older names are callable, but not listed. */
const offered = called.filter(({ action }) => action.includes('.'))
const READS = SCOPES.filter((scope) => scope.endsWith(':read'))

test('a read-only token sees only reads, and every tool is marked as read-only', async () => {
  const { tools, actions, client } = await listed(READS)
  const reads = offered.filter(({ op }) => !isWrite(op)).map(({ action }) => action)
  expect([...actions].filter((one) => !one.includes('drill')).sort()).toEqual(reads.sort())
  for (const tool of tools)
    expect([tool.name, tool.annotations?.readOnlyHint]).toEqual([tool.name, true])
  const next = tools.find(({ name }) => name === 'svc_tasks')!
  expect(next.description).not.toMatch(/\bclaim\b/)
  await client.close()
})

test('actions that are not shown are refused and change nothing', async () => {
  const { actor, actions, client } = await listed(READS)
  const hidden = called.filter(({ op, action }) => isWrite(op) && !actions.has(action))
  expect(hidden.map(({ action }) => action)).toContain('create_page')
  for (const { op, action } of hidden) {
    const input = (await samples[op.name]?.(house)) ?? {}
    const before = await everything(house)
    const [name = '', verb] = action.split('.')
    const given = verb === undefined ? input : { action: verb, input }
    const answer = await client.callTool({ name, arguments: given as Record<string, unknown> })
    expect([action, answer.isError]).toEqual([action, true])
    const { error } = answer.structuredContent as { error: string }
    expect(['Not allowed', 'Authentication failed']).toContain(error)
    expect([action, (await everything(house)) === before]).toEqual([action, true])
  }
  const { project_id } = house.board
  const before = await everything(house)
  const claim = { action: 'next', input: { project_id, claim: true } }
  expect((await house.call(actor, 'svc_tasks', claim)).error).toBe('Not allowed')
  expect(await everything(house)).toBe(before)
  await client.close()
})

test('each write scope shows exactly its own actions', async () => {
  for (const scope of SCOPES.filter((one) => !one.endsWith(':read'))) {
    const { actions, client } = await listed([scope])
    const expected = offered.filter(({ op }) => op.needs === scope).map(({ action }) => action)
    expect([...actions].filter((one) => !one.includes('drill')).sort()).toEqual(expected.sort())
    await client.close()
  }
})

test('an agent sees no action that manages agents', async () => {
  const { actions, tools, client } = await listed(SCOPES, 'agent')
  const own = [...actions].filter((one) => one.startsWith('svc_agents.'))
  expect(own.sort()).toEqual(['svc_agents.list', 'svc_agents.presence'])
  expect(tools.find(({ name }) => name === 'svc_tasks')!.description).toMatch(/\bclaim\b/)
  await client.close()
})
