import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { claimTask } from '../../../support/fixtures.ts'
import { type World, world } from '../../../support/world.ts'

const agentOf = (w: World) => ({ agent_id: w.bot.caller.agent_id! })

/** Spends this much by a run on the logo task, under a lease. */
async function spend(w: World, cost_usd: number) {
  const { task_id } = w.tasks.logo
  const { lease_id } = await claimTask(w.bot, w.tasks.logo)
  const { run_id } = await w.bot['runs.create']({ task_id })
  await w.bot['runs.update']({ run_id, cost_usd })
  return { run_id, lease_id }
}

const beginnings = (w: World) => ({
  claim: () => w.bot['leases.claim'](w.tasks.copy),
  next: () => w.bot['tasks.next']({ project_id: w.board.project_id, claim: true }),
  run: () => w.bot['runs.create']({ task_id: w.tasks.copy.task_id }),
  'run that a person asks for': () =>
    w.cleo['runs.create']({ task_id: w.tasks.copy.task_id, ...agentOf(w) }),
})

test('a used budget stops the next claim but not the work in hand', async () => {
  const w = await world()
  await w.cleo['agents.update']({ ...agentOf(w), budget_usd: 2 })
  const { run_id, lease_id } = await spend(w, 2)
  for (const [name, begin] of Object.entries(beginnings(w))) {
    const { code, message, hint, details } = await faultOf(begin())
    expect([name, code, message]).toEqual([
      name,
      'conflict',
      'Bot has used $2.00 of its budget of $2.00 for 2026-11: it cannot claim tasks or start runs before 2026-12-01T00:00:00.000Z',
    ])
    expect(hint).toContain('Cleo, its owner, or an admin of the team can raise it: PATCH /api/v1')
    expect(details).toMatchObject({
      ...{ field: 'budget_usd', budget: 'agent', value: 2, used_usd: 2 },
      starts_again: '2026-12-01T00:00:00.000Z',
    })
  }
  const { task_id } = w.tasks.logo
  await w.bot['leases.heartbeat']({ lease_id })
  await w.bot['leases.claim']({ task_id })
  await w.bot['tasks.update']({ task_id, title: 'Draw the logo in blue' })
  await w.bot['runs.update']({ run_id, state: 'waiting' })
  await w.bot['runs.update']({ run_id, state: 'running', cost_usd: 2.5 })
  await w.bot['runs.update']({ run_id, state: 'done', summary: 'Blue' })
  expect((await w.ada['leases.get'](w.tasks.copy)).lease).toBeNull()
})

test('a new month or a higher budget lets an agent claim again', async () => {
  const w = await world()
  await w.cleo['agents.update']({ ...agentOf(w), budget_usd: 2 })
  await spend(w, 2)
  await faultOf(w.bot['leases.claim'](w.tasks.copy))
  await w.ben['agents.update']({ ...agentOf(w), budget_usd: 2.01 })
  await claimTask(w.bot, w.tasks.copy)
  await w.ben['agents.update']({ ...agentOf(w), budget_usd: 1 })
  expect((await faultOf(w.bot['leases.claim'](w.tasks.link))).message).toContain('$1.00')
  w.clock.now = new Date('2026-12-01T00:00:00.000Z')
  await claimTask(w.bot, w.tasks.link)
})

test('the budget of a board stops all its agents, but no person and no other board', async () => {
  const w = await world()
  const { project_id } = w.board
  const mate = await w.addAgent(w.team_id, w.cleo, 'Mate')
  await w.ben['projects.set_limits']({ project_id, budget_usd: 1 })
  await spend(w, 1)
  const fault = await faultOf(mate['leases.claim'](w.tasks.copy))
  expect([fault.code, fault.message]).toEqual([
    'conflict',
    'The board "Home page" has used $1.00 of its budget of $1.00 for 2026-11: agents cannot claim its tasks or start runs there before 2026-12-01T00:00:00.000Z',
  ])
  expect(fault.hint).toContain('Ada, who created it, or an admin of the team can raise it')
  expect(fault.hint).toContain(`PATCH /api/v1/projects/${project_id}/limits`)
  await w.ben['leases.claim'](w.tasks.copy)
  const other = await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Shop', sections: [{ title: 'To do' }] },
    tasks: [{ title: 'Sell', section_index: 0 }],
  })
  await mate['leases.claim']({ ticket_number: other.tasks[0]! })
})

test('budgets are in dollars, rounded to 6 decimals, and null removes one', async () => {
  const w = await world()
  const set = (budget_usd: number | null) => w.cleo['agents.update']({ ...agentOf(w), budget_usd })
  expect(await set(10.1234567)).toMatchObject({ budget_usd: 10.123457, changed: ['budget_usd'] })
  expect(await set(10.123457)).toMatchObject({ changed: [] })
  for (const invalid of [0, -1, 1_000_001]) {
    const { code, details } = await faultOf(set(invalid))
    expect([code, details]).toMatchObject(['invalid', { field: 'budget_usd' }])
  }
  expect(await set(null)).toMatchObject({ budget_usd: null, changed: ['budget_usd'] })
  const changes = (await w.changes()).map(({ type, data }) => [type, data.changed])
  expect(changes).toEqual([
    ['agent.updated', { budget_usd: { before: null, after: 10.123457 } }],
    ['agent.updated', { budget_usd: { before: 10.123457, after: null } }],
  ])
})

test('only those who manage an agent or a board set its budget or pause it, and never an agent', async () => {
  const w = await world()
  const { project_id } = w.board
  const own = await w.bot['projects.create']({
    ...{ team_id: w.team_id, title: 'Mine', sections: [{ title: 'To do' }] },
  })
  for (const change of [{ budget_usd: 5 }, { paused: true }]) {
    const refusals: [string, () => Promise<unknown>][] = [
      ['not_found', () => w.otto['agents.update']({ ...agentOf(w), ...change })],
      ['not_manager', () => w.gus['agents.update']({ ...agentOf(w), ...change })],
      ['not_manager', () => w.bot['agents.update']({ agent_id: 'self', ...change })],
      ['not_found', () => w.otto['projects.set_limits']({ project_id, ...change })],
      ['forbidden', () => w.gus['projects.set_limits']({ project_id, ...change })],
      ['forbidden', () => w.cleo['projects.set_limits']({ project_id, ...change })],
      ['forbidden', () => w.bot['projects.set_limits']({ project_id: own.project_id, ...change })],
    ]
    for (const [code, call] of refusals)
      expect([code, (await faultOf(call())).code]).toEqual([code, code] as never)
  }
  const unlimited = { budget_usd: null, paused: false, paused_by: null, paused_at: null }
  expect(await w.ada['agents.get'](agentOf(w))).toMatchObject(unlimited)
  expect(await w.ada['projects.get_limits']({ project_id })).toMatchObject(unlimited)
  const { project_id: garden } = await w.cleo['projects.create']({
    ...{ team_id: w.team_id, title: 'Garden', sections: [{ title: 'To do' }] },
  })
  await w.cleo['projects.set_limits']({ project_id: garden, budget_usd: 5 })
})
