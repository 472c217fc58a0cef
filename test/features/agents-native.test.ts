import { expect, test } from 'bun:test'
import { refused } from '../refused.ts'
import { world } from '../world.ts'

const words = 'Answer short, in plain words.'

test('a native agent has no token, and only those who manage it can read its instructions', async () => {
  const w = await world()
  const { team_id } = w
  const asked = { team_id, name: 'Nia', kind: 'native' as const, instructions: ` ${words}\n` }
  const made = await w.cleo['agents.create'](asked)
  expect(made).toMatchObject({ kind: 'native', hasMcpToken: false, instructions: words })
  expect(made).not.toHaveProperty('token')
  const { agent_id } = made
  for (const who of [w.cleo, w.ben, w.ada])
    expect((await who['agents.get']({ agent_id })).instructions).toBe(words)
  for (const who of [w.gus, w.bot])
    expect(await who['agents.get']({ agent_id })).not.toHaveProperty('instructions')
  const { items } = await w.ada['agents.list']({ team_id })
  expect(JSON.stringify(items)).not.toContain(words)
  // The change log does not contain them either.
  expect(JSON.stringify(await w.changes())).not.toContain(words)
})

test('instructions can be changed and cleared, and the change log omits their text', async () => {
  const w = await world()
  const { team_id } = w
  const { agent_id } = await w.cleo['agents.create']({ team_id, name: 'Nia', kind: 'native' })
  const put = (instructions: string | null) => w.ben['agents.update']({ agent_id, instructions })
  expect(await put(words)).toMatchObject({ instructions: words, changed: ['instructions'] })
  expect(await put(words)).toMatchObject({ changed: [] })
  expect(await put(null)).toMatchObject({ instructions: null, changed: ['instructions'] })
  const told = (await w.changes()).filter(({ type }) => type === 'agent.updated')
  expect(told.map(({ data }) => data.changed)).toEqual([
    { instructions: { before: false, after: true } },
    { instructions: { before: true, after: false } },
  ])
  expect((await refused(put('x'.repeat(10_001)))).details).toMatchObject({
    ...{ field: 'instructions', code: 'too_long' },
  })
})

test('setting instructions of an external agent is refused', async () => {
  const w = await world()
  const { team_id } = w
  const agent_id = w.bot.caller.agent_id!
  const make = () => w.cleo['agents.create']({ team_id, name: 'Max', instructions: words })
  const put = () => w.cleo['agents.update']({ agent_id, instructions: words })
  for (const asked of [make, put])
    expect(await refused(asked())).toMatchObject({
      details: { field: 'instructions', code: 'conflict' },
      message: 'instructions are for native agents, which Corkboard runs itself',
    })
  const shown = await w.cleo['agents.update']({ agent_id, instructions: null })
  expect(shown).not.toHaveProperty('instructions')
  expect(shown.changed).toEqual([])
})

test('svc_agents creates an agent with instructions and documents the field', async () => {
  const w = await world()
  const call = async (method: string, params: object) => {
    const headers = { accept: 'application/json, text/event-stream' }
    const body = { jsonrpc: '2.0', id: 1, method, params }
    return (await w.http(w.cleo, 'POST', '/mcp', body, headers)).body.result
  }
  const input = { team_id: w.team_id, name: 'Nia', kind: 'native', instructions: words }
  const made = await call('tools/call', {
    name: 'svc_agents',
    arguments: { action: 'create', input, response_format: 'detailed' },
  })
  expect(JSON.stringify(made)).toContain(words)
  const { tools } = await call('tools/list', {})
  const told = tools.find(({ name }: { name: string }) => name === 'svc_agents')
  expect(told.description).toContain('kind, instructions')
})
