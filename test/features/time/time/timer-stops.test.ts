import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

const MINUTE = 60_000
const sections = [{ title: 'Open' }, { title: 'Done' }]

/** The seconds that the team report shows for a person or agent. */
async function secondsOf(w: World, actor: Actor) {
  const { rows } = await w.ada['time.report']({ group_by: 'person' })
  return rows!.find(({ key }) => key === String(actor.caller.actor_id))?.seconds
}

const countStops = async (w: World) =>
  (await w.changeTypes()).filter((type) => type === 'time.stopped').length

/** Starts a timer, runs `action` after ten minutes, and lets half an hour pass. */
async function runDuringTimer(w: World, actor: Actor, action: () => Promise<unknown>) {
  const task_identifier = w.tasks.logo.task_id
  await actor['time.start']({ task_identifier })
  w.clock.advance(10 * MINUTE)
  await action()
  w.clock.advance(30 * MINUTE)
}

test('a timer stops at the moment its person is removed from the team', async () => {
  const w = await world()
  const user_id = w.cleo.caller.actor_id
  await runDuringTimer(w, w.cleo, () =>
    w.ada['teams.remove_member']({ team_id: w.team_id, user_id }),
  )
  expect(await secondsOf(w, w.cleo)).toBe(600)
  expect(await countStops(w)).toBe(1)
  const { items } = await w.ada['time.list']({ user_id })
  expect(items).toMatchObject([{ state: 'stopped', ended_at: '2026-11-20T12:10:00.000Z' }])
})

test('when a member leaves, their paused timer and their agent’s timer stop and keep their time', async () => {
  const w = await world()
  const task_identifier = w.tasks.logo.task_id
  await w.cleo['time.start']({ task_identifier })
  w.clock.advance(5 * MINUTE)
  await w.cleo['time.pause']({})
  await runDuringTimer(w, w.bot, () => w.cleo['teams.leave']({ team_id: w.team_id }))
  expect([await secondsOf(w, w.cleo), await secondsOf(w, w.bot)]).toEqual([300, 600])
  expect(await countStops(w)).toBe(2)
})

test('removing a member does not stop the timers of others', async () => {
  const w = await world()
  const user_id = w.cleo.caller.actor_id
  await runDuringTimer(w, w.ben, () =>
    w.ada['teams.remove_member']({ team_id: w.team_id, user_id }),
  )
  expect(await secondsOf(w, w.ben)).toBe(2400)
  const status = await w.ben['time.status']({ task_identifier: w.tasks.logo.task_id })
  expect(status.state).toBe('running')
  expect(await countStops(w)).toBe(0)
})

test('making a member a guest stops their timer on a board they lose', async () => {
  const w = await world()
  const user_id = w.cleo.caller.actor_id
  await runDuringTimer(w, w.cleo, () =>
    w.ada['teams.set_role']({ team_id: w.team_id, user_id, role: 'guest' }),
  )
  expect([await secondsOf(w, w.cleo), await countStops(w)]).toEqual([600, 1])
})

test('deactivating, confining or deleting an agent stops its timer; renaming it does not', async () => {
  const actions = {
    deactivated: (w: World, agent_id: string) => w.cleo['agents.deactivate']({ agent_id }),
    deleted: (w: World, agent_id: string) => w.cleo['agents.delete']({ agent_id }),
    confined: async (w: World, agent_id: string) => {
      const { project_id } = await w.ada['projects.create']({
        ...{ team_id: w.team_id, title: 'Elsewhere', sections },
      })
      await w.cleo['agents.update']({ agent_id, project_ids: [project_id] })
    },
    renamed: (w: World, agent_id: string) => w.cleo['agents.update']({ agent_id, name: 'Bo' }),
  }
  const results: Record<string, unknown> = {}
  for (const [name, stop] of Object.entries(actions)) {
    const w = await world()
    const agent_id = w.bot.caller.agent_id!
    await runDuringTimer(w, w.bot, () => stop(w, agent_id))
    results[name] = [await secondsOf(w, w.bot), await countStops(w)]
  }
  expect(results).toEqual({
    ...{ deactivated: [600, 1], deleted: [600, 1], confined: [600, 1], renamed: [2400, 0] },
  })
})

test('deleting a task stops its timers, and restoring it starts none', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  await w.ben['time.start']({ task_identifier: task_id })
  await runDuringTimer(w, w.cleo, () => w.cleo['tasks.update']({ task_id, status: 'Deleted' }))
  expect([await secondsOf(w, w.cleo), await secondsOf(w, w.ben), await countStops(w)]).toEqual([
    600, 600, 2,
  ])
  await w.cleo['tasks.update']({ task_id, status: 'Normal' })
  expect((await w.cleo['time.running']({})).items).toEqual([])
  await w.cleo['time.start']({ task_identifier: task_id })
})

test('a timer keeps running when its task is completed or archived', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  await runDuringTimer(w, w.cleo, async () => {
    await w.cleo['tasks.update']({ task_id, section_id: w.sections.Done })
    await w.cleo['tasks.update']({ task_id, status: 'Archive' })
  })
  const stopped = await w.cleo['time.stop']({ task_identifier: task_id })
  expect([stopped.seconds, await countStops(w)]).toEqual([2400, 1])
})

test('moving a task stops only the timers of people who cannot see its new board', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const closed = await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Closed', sections, access: 'invited' as const },
  })
  await w.ben['time.start']({ task_identifier: task_id })
  await runDuringTimer(w, w.cleo, () =>
    w.ada['tasks.update']({ task_id, project_id: closed.project_id }),
  )
  expect([await secondsOf(w, w.cleo), await secondsOf(w, w.ben), await countStops(w)]).toEqual([
    600, 2400, 1,
  ])
})

test('a member removed while starting timers has no running timer afterwards', async () => {
  for (let time = 0; time < 5; time++) {
    const w = await world()
    const user_id = w.cleo.caller.actor_id
    const starts = Object.values(w.tasks).map(({ task_id }) =>
      w.cleo['time.start']({ task_identifier: task_id }),
    )
    const removal = w.ada['teams.remove_member']({ team_id: w.team_id, user_id })
    await Promise.allSettled([removal, ...starts])
    const again = w.cleo['time.start']({ task_identifier: w.tasks.logo.task_id })
    expect((await faultOf(again)).code).toBe('forbidden')
    expect((await w.ada['time.list']({ running: true })).items).toEqual([])
  }
})
