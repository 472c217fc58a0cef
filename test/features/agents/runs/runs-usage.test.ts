import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { waitForFollowers } from '../../../support/followers.ts'
import { type World, world } from '../../../support/world.ts'

/** Creates a run of the agent on the logo task. */
async function worldWithRun() {
  const w = await world()
  const { run_id } = await w.bot['runs.create']({ task_id: w.tasks.logo.task_id })
  return { w, run_id }
}

const botOf = (w: World) => w.ada['agents.get']({ agent_id: w.bot.caller.agent_id! })
const limitsOf = (w: World) => w.ada['projects.get_limits']({ project_id: w.board.project_id })

test('a run shows the tokens and the cost that its agent reported last', async () => {
  const { w, run_id } = await worldWithRun()
  const unreported = { input_tokens: null, output_tokens: null, cost_usd: null }
  expect(await w.ada['runs.get']({ run_id })).toMatchObject(unreported)
  const first = { input_tokens: 1000, output_tokens: 50, cost_usd: 0.004 }
  expect(await w.bot['runs.update']({ run_id, ...first })).toMatchObject({
    changed: ['input_tokens', 'output_tokens', 'cost_usd'],
  })
  await w.bot['runs.update']({ run_id, state: 'done', output_tokens: 80, cost_usd: 0.1 + 0.2 })
  const usage = { input_tokens: 1000, output_tokens: 80, cost_usd: 0.3 }
  expect(await w.ada['runs.get']({ run_id })).toMatchObject(usage)
  const { items } = await w.ada['sessions.list']({ project_id: w.board.project_id })
  expect(items).toMatchObject([usage])
  expect((await w.ada['runs.list']({ task_id: w.tasks.logo.task_id })).items).toMatchObject([usage])
})

test('totals of a run never decrease, and the refusal says what is stored', async () => {
  const { w, run_id } = await worldWithRun()
  await w.bot['runs.update']({ run_id, input_tokens: 1000, output_tokens: 50, cost_usd: 0.5 })
  for (const [field, value, current] of [
    ['input_tokens', 999, 1000],
    ['output_tokens', 0, 50],
    ['cost_usd', 0.499999, 0.5],
  ] as const) {
    const fault = await faultOf(w.bot['runs.update']({ run_id, summary: 'Less', [field]: value }))
    expect([fault.code, fault.details]).toEqual([
      'conflict',
      { code: 'conflict', field, value, current },
    ])
    expect(fault.message).toBe(
      `${field} is the total of the run, which never decreases: it is ${current}, not ${value}`,
    )
  }
  expect(await w.bot['runs.update']({ run_id, cost_usd: 0.5 })).toMatchObject({ changed: [] })
  expect(await w.ada['runs.get']({ run_id })).toMatchObject({ cost_usd: 0.5, summary: null })
  expect(await botOf(w)).toMatchObject({ used_usd: 0.5 })
})

test('an agent reports the cost of a run that was stopped, but changes nothing else of it', async () => {
  const { w, run_id } = await worldWithRun()
  await w.cleo['runs.stop']({ run_id })
  await w.bot['runs.update']({ run_id, cost_usd: 0.25 })
  expect(await botOf(w)).toMatchObject({ used_usd: 0.25 })
  const fault = await faultOf(w.bot['runs.update']({ run_id, cost_usd: 0.5, summary: 'Late' }))
  expect(fault.code).toBe('conflict')
  expect(await w.ada['runs.get']({ run_id })).toMatchObject({ cost_usd: 0.25, summary: null })
})

test('only the agent of a run reports its cost', async () => {
  const { w, run_id } = await worldWithRun()
  const mate = await w.addAgent(w.team_id, w.cleo, 'Mate')
  for (const actor of [w.ada, w.cleo, mate])
    expect((await faultOf(actor['runs.update']({ run_id, cost_usd: 1 }))).code).toBe('forbidden')
  expect((await faultOf(w.otto['runs.update']({ run_id, cost_usd: 1 }))).code).toBe('not_found')
  expect(await botOf(w)).toMatchObject({ used_usd: 0 })
})

test('a cost counts for the month in which it is reported, for the agent and for the board', async () => {
  const { w, run_id } = await worldWithRun()
  const mate = await w.addAgent(w.team_id, w.cleo, 'Mate')
  const other = await mate['runs.create']({ task_id: w.tasks.copy.task_id })
  await w.bot['runs.update']({ run_id, cost_usd: 1.25 })
  await mate['runs.update']({ run_id: other.run_id, cost_usd: 3000 })
  expect(await botOf(w)).toMatchObject({ used_usd: 1.25 })
  expect(await limitsOf(w)).toMatchObject({ used_usd: 3001.25 })
  w.clock.now = new Date('2026-11-30T23:59:59.999Z')
  await w.bot['runs.update']({ run_id, cost_usd: 2 })
  expect(await botOf(w)).toMatchObject({ used_usd: 2 })
  w.clock.now = new Date('2026-12-01T00:00:00.000Z')
  expect(await botOf(w)).toMatchObject({ used_usd: 0 })
  await w.bot['runs.update']({ run_id, cost_usd: 2.000001 })
  expect(await botOf(w)).toMatchObject({ used_usd: 0.000001 })
  expect(await limitsOf(w)).toMatchObject({ used_usd: 0.000001 })
})

test('concurrent reports of several runs add up exactly', async () => {
  const { w, run_id } = await worldWithRun()
  const tasks = [w.tasks.copy, w.tasks.link]
  const otherIds = await Promise.all(
    tasks.map(async ({ task_id }) => (await w.bot['runs.create']({ task_id })).run_id),
  )
  await Promise.all(
    [run_id, ...otherIds].map((id) => w.bot['runs.update']({ run_id: id, cost_usd: 0.1 })),
  )
  expect(await botOf(w)).toMatchObject({ used_usd: 0.3 })
})

test('the owner of an agent is notified once when a report reaches its budget', async () => {
  const { w, run_id } = await worldWithRun()
  await w.ada['agents.update']({ agent_id: w.bot.caller.agent_id!, budget_usd: 10 })
  const inbox = async (actor = w.cleo) => {
    await waitForFollowers(w)
    return (await actor['inbox.list']({ kind: 'budget_reached' })).items
  }
  await w.bot['runs.update']({ run_id, cost_usd: 9.99 })
  expect(await inbox()).toEqual([])
  for (const cost_usd of [10.5, 11, 12]) await w.bot['runs.update']({ run_id, cost_usd })
  expect(await inbox()).toMatchObject([
    {
      ...{ important: true, actor: { name: 'Bot' }, run_id },
      snippet: 'Bot has used $10.50 of its budget of $10.00 for 2026-11',
    },
  ])
  expect(await inbox(w.ada)).toEqual([])
  const reached = (await w.changeTypes()).filter((type) => type === 'run.budget_reached')
  expect(reached).toHaveLength(1)
})

test('the creator of a board and the owner of the agent are notified when its budget is reached', async () => {
  const { w, run_id } = await worldWithRun()
  const { project_id } = w.board
  await w.ben['projects.set_limits']({ project_id, budget_usd: 1 })
  await w.bot['runs.update']({ run_id, cost_usd: 1 })
  await waitForFollowers(w)
  const text = 'The board "Home page" has used $1.00 of its budget of $1.00 for 2026-11'
  for (const actor of [w.ada, w.cleo])
    expect((await actor['inbox.list']({ kind: 'budget_reached' })).items).toMatchObject([
      { snippet: text },
    ])
  expect((await w.ben['inbox.list']({ kind: 'budget_reached' })).items).toEqual([])
})
