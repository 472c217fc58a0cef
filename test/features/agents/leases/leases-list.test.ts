import { expect, test } from 'bun:test'
import { claimTask } from '../../../support/fixtures.ts'
import { world } from '../../../support/world.ts'

const MINUTE = 60_000

test('the lease list contains active leases only, without released and expired ones', async () => {
  const w = await world()
  const { ada, bot, tasks, team_id, clock } = w
  const listKeys = async () =>
    (await ada['leases.list']({ team_id })).items.map(({ ticket_number }) => ticket_number)
  expect(await listKeys()).toEqual([])
  const { lease_id } = await claimTask(bot, tasks.logo)
  await bot['leases.claim']({ ...tasks.copy, ttl: 5 * MINUTE })
  const { items } = await ada['leases.list']({ team_id })
  expect(items.map(({ holder }) => holder.agent_id)).toEqual(
    Array(2).fill(bot.caller.agent_id) as string[],
  )
  clock.advance(6 * MINUTE)
  const [logo, ...rest] = await ada['leases.list']({ team_id }).then((list) => list.items)
  expect([logo?.task_id, rest]).toEqual([tasks.logo.task_id, []])
  await bot['leases.release']({ lease_id })
  expect(await listKeys()).toEqual([])
})

test('a list of leases leaves out boards that the caller cannot see', async () => {
  const w = await world()
  const { ada, bot, cleo, tasks, team_id } = w
  const { project_id } = await ada['projects.create']({
    ...{
      team_id,
      title: 'Board of Ada',
      access: 'invited',
      sections: [{ title: 'To do' }],
      tasks: [{ title: 'Secret', section_index: 0 }],
    },
  })
  await claimTask(bot, tasks.logo)
  const [secretTask] = (await ada['projects.board']({ project_id })).cards
  await ada['leases.claim']({ task_id: secretTask!.task_id })
  const countFor = async (actor: typeof ada) =>
    (await actor['leases.list']({ team_id })).items.length
  expect([await countFor(ada), await countFor(cleo)]).toEqual([2, 1])
})
