import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { world } from '../../../support/world.ts'

const INSTRUCTIONS = 'Answer short, in plain words.'

test('a native agent has no token, and only those who manage it can read its instructions', async () => {
  const w = await world()
  const { team_id } = w
  const input = {
    team_id,
    name: 'Nia',
    kind: 'native' as const,
    instructions: ` ${INSTRUCTIONS}\n`,
  }
  const created = await w.cleo['agents.create'](input)
  expect(created).toMatchObject({ kind: 'native', hasMcpToken: false, instructions: INSTRUCTIONS })
  expect(created).not.toHaveProperty('token')
  const { agent_id } = created
  for (const actor of [w.cleo, w.ben, w.ada])
    expect((await actor['agents.get']({ agent_id })).instructions).toBe(INSTRUCTIONS)
  for (const actor of [w.gus, w.bot])
    expect(await actor['agents.get']({ agent_id })).not.toHaveProperty('instructions')
  const { items } = await w.ada['agents.list']({ team_id })
  expect(JSON.stringify(items)).not.toContain(INSTRUCTIONS)
  // The change log does not contain them either.
  expect(JSON.stringify(await w.changes())).not.toContain(INSTRUCTIONS)
})

test('instructions can be changed and cleared, and the change log omits their text', async () => {
  const w = await world()
  const { team_id } = w
  const { agent_id } = await w.cleo['agents.create']({ team_id, name: 'Nia', kind: 'native' })
  const update = (instructions: string | null) => w.ben['agents.update']({ agent_id, instructions })
  expect(await update(INSTRUCTIONS)).toMatchObject({
    instructions: INSTRUCTIONS,
    changed: ['instructions'],
  })
  expect(await update(INSTRUCTIONS)).toMatchObject({ changed: [] })
  expect(await update(null)).toMatchObject({ instructions: null, changed: ['instructions'] })
  const updates = (await w.changes()).filter(({ type }) => type === 'agent.updated')
  expect(updates.map(({ data }) => data.changed)).toEqual([
    { instructions: { before: false, after: true } },
    { instructions: { before: true, after: false } },
  ])
  expect((await faultOf(update('x'.repeat(10_001)))).details).toMatchObject({
    ...{ field: 'instructions', code: 'too_long' },
  })
})

test('setting instructions of an external agent is refused', async () => {
  const w = await world()
  const { team_id } = w
  const agent_id = w.bot.caller.agent_id!
  const create = () => w.cleo['agents.create']({ team_id, name: 'Max', instructions: INSTRUCTIONS })
  const update = () => w.cleo['agents.update']({ agent_id, instructions: INSTRUCTIONS })
  for (const call of [create, update])
    expect(await faultOf(call())).toMatchObject({
      details: { field: 'instructions', code: 'conflict' },
      message: 'instructions are for native agents, which Corkboard runs itself',
    })
  const updated = await w.cleo['agents.update']({ agent_id, instructions: null })
  expect(updated).not.toHaveProperty('instructions')
  expect(updated.changed).toEqual([])
})

test('svc_agents creates an agent with instructions and documents the field', async () => {
  const w = await world()
  const call = async (method: string, params: object) => {
    const headers = { accept: 'application/json, text/event-stream' }
    const body = { jsonrpc: '2.0', id: 1, method, params }
    return (await w.http(w.cleo, 'POST', '/mcp', body, headers)).body.result
  }
  const input = { team_id: w.team_id, name: 'Nia', kind: 'native', instructions: INSTRUCTIONS }
  const response = await call('tools/call', {
    name: 'svc_agents',
    arguments: { action: 'create', input, response_format: 'detailed' },
  })
  expect(JSON.stringify(response)).toContain(INSTRUCTIONS)
  const { tools } = await call('tools/list', {})
  const agentsTool = tools.find(({ name }: { name: string }) => name === 'svc_agents')
  const { kind, instructions } = agentsTool.inputSchema.properties.input.properties
  expect([kind.enum, instructions.type]).toEqual([['external', 'native'], 'string'])
})
