import { expect, test } from 'bun:test'
import { waitForFollowers } from '../support/followers.ts'
import { expectEventually, waitUntil } from '../support/wait.ts'
import { type World, world } from '../support/world.ts'
import {
  assign,
  createNativeAgent,
  leaseOf,
  logo,
  nativeAgentHost,
  runsOf,
  transcriptOf,
  waitForRun,
} from './natives.ts'

const comment = { calls: [{ tool: 'comments_add', input: { ...logo, text: 'Half.' } }] }
const slowAnswer = { text: 'Let me think about that for a very long time.', chunkDelayMs: 2000 }

const lastLineOf = async (w: World) => (await runsOf(w)).at(-1)?.last_entry

test('a native run reports the tokens that its model used', async () => {
  const w = await world()
  const nia = await createNativeAgent(w)
  const { service, startServer } = nativeAgentHost(w)
  service.play((_, at) => (at === 0 ? comment : { text: 'Whole.' }))
  startServer()
  await assign(w, nia)
  const run = await waitForRun(w, 'done')
  expect(run.input_tokens).toBeGreaterThan(100)
  expect(run.output_tokens).toBeGreaterThan(0)
  expect(run.cost_usd).toBeNull()
})

test('the price of the model makes a native run cost something, until a budget stops the next one', async () => {
  const w = await world()
  const nia = await createNativeAgent(w)
  const { service, startServer } = nativeAgentHost(w)
  service.play(() => ({ text: 'Whole.' }))
  await w.ada['agents.update']({ agent_id: nia.agent_id, budget_usd: 0.01 })
  // A dollar for 1,000 tokens.
  startServer({}, true, { input: 1000, output: 1000 })
  await assign(w, nia)
  const { input_tokens, output_tokens, cost_usd } = await waitForRun(w, 'done')
  expect(cost_usd).toBe((input_tokens! + output_tokens!) / 1000)
  expect(await w.ada['agents.get']({ agent_id: nia.agent_id })).toMatchObject({
    used_usd: cost_usd,
  })
  await waitForFollowers(w)
  const { items } = await w.cleo['inbox.list']({ kind: 'budget_reached' })
  expect(items).toMatchObject([{ actor: { name: 'Nia' } }])
  await assign(w, nia, w.tasks.copy)
  await waitUntil(async () => (await runsOf(w, w.tasks.copy))[0]?.entry_count === 1)
  expect((await runsOf(w, w.tasks.copy))[0]!.state).toBe('queued')
})

for (const [name, setPaused] of [
  [
    'agent',
    (w: World, agent_id: string, paused: boolean) => w.ada['agents.update']({ agent_id, paused }),
  ],
  [
    'board',
    (w: World, _: string, paused: boolean) =>
      w.ada['projects.set_limits']({ project_id: w.board.project_id, paused }),
  ],
] as const)
  test(`a native run stops when its ${name} is paused, and goes on when it is resumed`, async () => {
    const w = await world()
    const nia = await createNativeAgent(w)
    const { service, startServer } = nativeAgentHost(w)
    service.play((_, at) => (at === 0 ? comment : at === 1 ? slowAnswer : { text: 'Whole.' }))
    startServer()
    await assign(w, nia)
    await waitUntil(() => service.requests.length === 2)
    await setPaused(w, nia.agent_id, true)
    await waitUntil(async () => (await lastLineOf(w))?.includes('is paused by Ada'))
    expect(await leaseOf(w)).toBeNull()
    await Bun.sleep(200)
    expect(service.requests).toHaveLength(2)
    expect((await runsOf(w)).at(-1)!.state).toBe('running')
    await setPaused(w, nia.agent_id, false)
    const run = await waitForRun(w, 'done')
    expect(run.summary).toBe('Whole.')
    expect((await transcriptOf(w, run.run_id)).join()).not.toContain('The server stopped')
  })

test('a run of a paused native agent stays queued, says why, and starts once it is resumed', async () => {
  const w = await world()
  const nia = await createNativeAgent(w)
  const { service, startServer } = nativeAgentHost(w)
  service.play(() => ({ text: 'Whole.' }))
  await w.ada['agents.update']({ agent_id: nia.agent_id, paused: true })
  startServer()
  await assign(w, nia)
  await waitUntil(async () => (await lastLineOf(w))?.startsWith('The agent or its board is paused'))
  await Bun.sleep(200)
  expect(service.requests).toEqual([])
  const [queued] = await runsOf(w)
  expect(queued).toMatchObject({ state: 'queued', entry_count: 1 })
  await w.ada['agents.update']({ agent_id: nia.agent_id, paused: false })
  await waitForRun(w, 'done')
})

test('a native agent whose board has used its budget starts no run until the next month', async () => {
  const w = await world()
  const nia = await createNativeAgent(w)
  const { service, startServer } = nativeAgentHost(w)
  service.play(() => ({ text: 'Whole.' }))
  await w.ada['projects.set_limits']({ project_id: w.board.project_id, budget_usd: 1 })
  const { run_id } = await w.bot['runs.create']({ task_id: w.tasks.copy.task_id })
  await w.bot['runs.update']({ run_id, cost_usd: 1 })
  startServer()
  await assign(w, nia)
  await waitUntil(async () => (await lastLineOf(w))?.includes('has used its budget'))
  await expectEventually(async () => (await runsOf(w)).at(-1)!.state, 'queued')
  expect(service.requests).toEqual([])
  w.clock.now = new Date('2026-12-01T00:00:00.000Z')
  await waitForRun(w, 'done')
})
