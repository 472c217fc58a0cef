import { expect, test } from 'bun:test'
import { claimed } from '../furniture.ts'
import { refused } from '../refused.ts'
import { world } from '../world.ts'

test('an agent can release a task that it can no longer see, but cannot renew its lease', async () => {
  const w = await world()
  const { ada, cleo, bot, team_id, tasks, http } = w
  const garden = await ada['projects.create']({
    ...{ team_id, title: 'Garden', sections: [{ title: 'To do' }] },
  })
  const { lease_id } = await claimed(bot, tasks.logo)
  await cleo['agents.update']({
    agent_id: bot.caller.agent_id!,
    project_ids: [garden.project_id],
  })
  const beat = await http(bot, 'POST', '/api/mcp/tasks/lease/heartbeat', { lease_id })
  expect(beat.status).toBe(404)
  const back = await http(bot, 'POST', '/api/mcp/tasks/lease/release', { lease_id })
  expect([back.status, back.body.data]).toEqual([200, { released: true }])
  expect((await ada['leases.get'](tasks.logo)).lease).toBeNull()
})

test('removing a member ends their leases and those of their agents', async () => {
  const w = await world()
  const { ada, cleo, bot, team_id, tasks } = w
  const adas = await w.agent(team_id, ada, 'Mate')
  await claimed(bot, tasks.logo)
  await claimed(cleo, tasks.copy)
  await claimed(adas, tasks.link)
  await ada['teams.remove_member']({ team_id, user_id: cleo.caller.actor_id })
  const told = (await w.changes()).filter(({ type }) => type === 'lease.released')
  expect(told.map(({ task_id }) => task_id).sort()).toEqual(
    [tasks.logo.task_id, tasks.copy.task_id].sort(),
  )
  for (const task of [tasks.logo, tasks.copy])
    expect((await ada['leases.get'](task)).lease).toBeNull()
  expect((await ada['leases.get'](tasks.link)).lease).not.toBeNull()
})

test('a member who leaves the team loses their leases', async () => {
  const { ada, cleo, team_id, tasks } = await world()
  await claimed(cleo, tasks.copy)
  await cleo['teams.leave']({ team_id })
  expect((await ada['leases.get'](tasks.copy)).lease).toBeNull()
})

test('marking a column as done ends the leases on its tasks, but renaming it does not', async () => {
  const w = await world()
  const { ada, bot, board, sections, tasks } = w
  await claimed(bot, tasks.logo)
  await claimed(bot, tasks.copy)
  const doing = { project_id: board.project_id, section_id: sections.Doing }
  await ada['sections.update']({ ...doing, title: 'Making' })
  expect((await ada['leases.get'](tasks.logo)).lease).not.toBeNull()
  await ada['sections.update']({ ...doing, is_done: true })
  expect((await ada['leases.get'](tasks.logo)).lease).toBeNull()
  expect((await ada['leases.get'](tasks.copy)).lease).not.toBeNull()
  const told = (await w.changes()).filter(({ type }) => type === 'lease.released')
  expect(told).toMatchObject([{ task_id: tasks.logo.task_id, data: { reason: 'done' } }])
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
  const { code, message } = await refused(bot['leases.claim'](tasks.logo))
  expect([code, message]).toEqual(['unauthenticated', expect.stringContaining('was stopped')])
})
