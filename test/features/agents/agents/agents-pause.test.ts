import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { claimTask } from '../../../support/fixtures.ts'
import { waitForFollowers } from '../../../support/followers.ts'
import { type World, world } from '../../../support/world.ts'

const agentOf = (w: World) => ({ agent_id: w.bot.caller.agent_id! })
const pause = (w: World, paused = true) => w.ada['agents.update']({ ...agentOf(w), paused })
const pauseBoard = (w: World, paused = true) =>
  w.ada['projects.set_limits']({ project_id: w.board.project_id, paused })

test("a paused agent's leases are free at once, and others can claim its tasks", async () => {
  const w = await world()
  const mate = await w.addAgent(w.team_id, w.cleo, 'Mate')
  const { lease_id } = await claimTask(w.bot, w.tasks.logo)
  await claimTask(mate, w.tasks.link)
  expect(await pause(w)).toMatchObject({
    ...{ state: 'active', paused: true, paused_at: '2026-11-20T12:00:00.000Z' },
    ...{ paused_by: { user_id: w.ada.caller.actor_id, name: 'Ada' }, changed: ['paused'] },
  })
  expect((await w.ada['leases.get'](w.tasks.logo)).lease).toBeNull()
  expect(await w.changeTypes()).toEqual([
    ...['lease.claimed', 'lease.claimed', 'lease.released', 'agent.updated'],
  ])
  await claimTask(mate, w.tasks.logo)
  expect((await w.ada['leases.get'](w.tasks.link)).lease).toMatchObject({
    holder: { name: 'Mate' },
  })
  expect((await faultOf(w.bot['leases.heartbeat']({ lease_id }))).code).toBe('not_found')
})

test('a paused agent begins nothing, and the refusal says who paused it and how to resume', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const { run_id } = await w.bot['runs.create']({ task_id })
  await w.bot['runs.update']({ run_id, state: 'waiting' })
  await pause(w)
  const { project_id } = w.board
  for (const begin of [
    () => w.bot['leases.claim'](w.tasks.copy),
    () => w.bot['tasks.next']({ project_id, claim: true }),
    () => w.bot['tasks.next']({ project_id, section: 'Review', claim: true }),
    () => w.bot['runs.create']({ task_id: w.tasks.copy.task_id }),
    () => w.cleo['runs.create']({ task_id: w.tasks.copy.task_id, ...agentOf(w) }),
    () => w.bot['runs.update']({ run_id, state: 'running' }),
  ]) {
    const { code, message, hint, details } = await faultOf(begin())
    expect([code, message, hint]).toEqual([
      'conflict',
      'Bot is paused by Ada since 2026-11-20T12:00:00.000Z: it cannot claim tasks or start runs',
      `Cleo, its owner, or an admin of the team can resume it: PATCH /api/v1/agents/${w.bot.caller.agent_id} {"paused": false}`,
    ])
    expect(details).toMatchObject({ paused: 'agent', paused_by: 'Ada' })
  }
  // It still reads, answers and ends what it has begun.
  await w.bot['comments.add']({ task_id, text: 'Paused' })
  await w.bot['runs.update']({ run_id, state: 'done' })
  await pause(w, false)
  await claimTask(w.bot, w.tasks.copy)
  expect(await w.ada['agents.get'](agentOf(w))).toMatchObject({
    ...{ paused: false, paused_by: null, paused_at: null },
  })
})

test('pausing an agent again keeps who paused it first', async () => {
  const w = await world()
  await pause(w)
  w.clock.advance(60_000)
  expect(await w.ben['agents.update']({ ...agentOf(w), paused: true })).toMatchObject({
    ...{ changed: [], paused_by: { name: 'Ada' }, paused_at: '2026-11-20T12:00:00.000Z' },
  })
})

test("a board's pause frees the tasks of all agents and stops them, but no person", async () => {
  const w = await world()
  const mate = await w.addAgent(w.team_id, w.cleo, 'Mate')
  const other = await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Shop', sections: [{ title: 'To do' }] },
    tasks: [{ title: 'Sell', section_index: 0 }],
  })
  const elsewhere = { ticket_number: other.tasks[0]! }
  await claimTask(w.bot, w.tasks.logo)
  await claimTask(mate, w.tasks.link)
  await mate['leases.claim'](elsewhere)
  await claimTask(w.cleo, w.tasks.copy)
  expect(await pauseBoard(w)).toMatchObject({ paused: true, changed: ['paused'] })
  for (const task of [w.tasks.logo, w.tasks.link])
    expect((await w.ada['leases.get'](task)).lease).toBeNull()
  for (const agent of [w.bot, mate]) {
    const { code, message, hint } = await faultOf(agent['leases.claim'](w.tasks.logo))
    expect([code, message]).toEqual([
      'conflict',
      'The board "Home page" is paused by Ada since 2026-11-20T12:00:00.000Z: agents cannot claim its tasks or start runs there',
    ])
    expect(hint).toBe(
      `Ada, who created it, or an admin of the team can resume it: PATCH /api/v1/projects/${w.board.project_id}/limits {"paused": false}`,
    )
  }
  const holders = [(await w.ada['leases.get'](w.tasks.copy)).lease?.holder.name]
  holders.push((await w.ada['leases.get'](elsewhere)).lease?.holder.name)
  expect(holders).toEqual(['Cleo', 'Mate'])
  await w.cleo['tasks.update']({ task_id: w.tasks.copy.task_id, title: 'Write less copy' })
  await pauseBoard(w, false)
  await claimTask(w.bot, w.tasks.logo)
})

test('an assignment to a paused agent queues a run for later', async () => {
  const w = await world()
  await pause(w)
  const { task_id } = w.tasks.copy
  await w.ada['tasks.assign']({ task_id, ...agentOf(w) })
  await waitForFollowers(w, 'runs')
  expect((await w.ada['runs.list']({ task_id })).items).toMatchObject([{ state: 'queued' }])
})

test('an archived agent cannot be paused', async () => {
  const w = await world()
  await w.ada['agents.archive'](agentOf(w))
  expect((await faultOf(pause(w))).message).toBe('Bot is archived')
})

test('the audit log shows who paused an agent and a board', async () => {
  const w = await world()
  await pause(w)
  await pauseBoard(w)
  const { items } = await w.ben['audit.list']({ team_id: w.team_id, limit: 2 })
  const paused = { paused: { before: false, after: true } }
  expect(items).toMatchObject([
    { type: 'project.limits_changed', actor: { name: 'Ada' }, changed: paused },
    { type: 'agent.updated', actor: { name: 'Ada' }, on: { name: 'Bot' }, changed: paused },
  ])
})

test('of concurrent claims and a pause of the board, no agent keeps a lease', async () => {
  const w = await world()
  const { task_id } = await w.ada['tasks.create']({
    ...{ project_id: w.board.project_id, title: 'Race' },
  })
  const { logo, copy, link } = w.tasks
  const claims = [logo, copy, link, { task_id }].map((task) =>
    claimTask(w.bot, task).catch(() => undefined),
  )
  await Promise.all([...claims, pauseBoard(w)])
  for (const task of [logo, copy, link, { task_id }])
    expect((await w.ada['leases.get']({ task_id: task.task_id })).lease).toBeNull()
})
