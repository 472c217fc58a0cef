import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { claimTask } from '../../../support/fixtures.ts'
import { world } from '../../../support/world.ts'

test('an agent can release a task that it can no longer see, but cannot renew its lease', async () => {
  const w = await world()
  const { ada, cleo, bot, team_id, tasks, http } = w
  const garden = await ada['projects.create']({
    ...{ team_id, title: 'Garden', sections: [{ title: 'To do' }] },
  })
  const { lease_id } = await claimTask(bot, tasks.logo)
  await cleo['agents.update']({
    agent_id: bot.caller.agent_id!,
    project_ids: [garden.project_id],
  })
  const heartbeat = await http(bot, 'POST', '/api/mcp/tasks/lease/heartbeat', { lease_id })
  expect(heartbeat.status).toBe(404)
  const release = await http(bot, 'POST', '/api/mcp/tasks/lease/release', { lease_id })
  expect([release.status, release.body.data]).toEqual([200, { released: true }])
  expect((await ada['leases.get'](tasks.logo)).lease).toBeNull()
})

test('removing a member ends their leases and those of their agents', async () => {
  const w = await world()
  const { ada, cleo, bot, team_id, tasks } = w
  const adasAgent = await w.addAgent(team_id, ada, 'Mate')
  await claimTask(bot, tasks.logo)
  await claimTask(cleo, tasks.copy)
  await claimTask(adasAgent, tasks.link)
  await ada['teams.remove_member']({ team_id, user_id: cleo.caller.actor_id })
  const releases = (await w.changes()).filter(({ type }) => type === 'lease.released')
  expect(releases.map(({ task_id }) => task_id).sort()).toEqual(
    [tasks.logo.task_id, tasks.copy.task_id].sort(),
  )
  for (const task of [tasks.logo, tasks.copy])
    expect((await ada['leases.get'](task)).lease).toBeNull()
  expect((await ada['leases.get'](tasks.link)).lease).not.toBeNull()
})

test('a member who leaves the team loses their leases', async () => {
  const { ada, cleo, team_id, tasks } = await world()
  await claimTask(cleo, tasks.copy)
  await cleo['teams.leave']({ team_id })
  expect((await ada['leases.get'](tasks.copy)).lease).toBeNull()
})

test('marking a column as done ends the leases on its tasks, but renaming it does not', async () => {
  const w = await world()
  const { ada, bot, board, sections, tasks } = w
  await claimTask(bot, tasks.logo)
  await claimTask(bot, tasks.copy)
  const column = { project_id: board.project_id, section_id: sections.Doing }
  await ada['sections.update']({ ...column, title: 'Making' })
  expect((await ada['leases.get'](tasks.logo)).lease).not.toBeNull()
  await ada['sections.update']({ ...column, is_done: true })
  expect((await ada['leases.get'](tasks.logo)).lease).toBeNull()
  expect((await ada['leases.get'](tasks.copy)).lease).not.toBeNull()
  const releases = (await w.changes()).filter(({ type }) => type === 'lease.released')
  expect(releases).toMatchObject([{ task_id: tasks.logo.task_id, data: { reason: 'done' } }])
})

test('an agent that is deactivated while it claims tasks ends up without a lease', async () => {
  const w = await world()
  const { cleo, bot, tasks, board } = w
  const { agent_id = '' } = bot.caller
  const claims = () => [
    bot['leases.claim'](tasks.logo),
    bot['tasks.next']({ project_id: board.project_id, claim: true }),
  ]
  const jobs = [...claims(), cleo['agents.deactivate']({ agent_id }), ...claims()]
  await Promise.allSettled(jobs)
  for (const task of [tasks.logo, tasks.copy, tasks.link])
    expect((await cleo['leases.get'](task)).lease).toBeNull()
  const { code, message } = await faultOf(bot['leases.claim'](tasks.logo))
  expect([code, message]).toEqual(['unauthenticated', expect.stringContaining('was stopped')])
})
