import { expect, test } from 'bun:test'
import { claimed } from '../furniture.ts'
import { world } from '../world.ts'

const MINUTE = 60_000

test('the lease list contains active leases only, without released and expired ones', async () => {
  const w = await world()
  const { ada, bot, tasks, team_id, clock } = w
  const listed = async () =>
    (await ada['leases.list']({ team_id })).items.map(({ ticket_number }) => ticket_number)
  expect(await listed()).toEqual([])
  const { lease_id } = await claimed(bot, tasks.logo)
  await bot['leases.claim']({ ...tasks.copy, ttl: 5 * MINUTE })
  const { items } = await ada['leases.list']({ team_id })
  expect(items.map(({ holder }) => holder.agent_id)).toEqual(
    Array(2).fill(bot.caller.agent_id) as string[],
  )
  clock.pass(6 * MINUTE)
  const [logo, ...others] = await ada['leases.list']({ team_id }).then((one) => one.items)
  expect([logo?.task_id, others]).toEqual([tasks.logo.task_id, []])
  await bot['leases.release']({ lease_id })
  expect(await listed()).toEqual([])
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
  await claimed(bot, tasks.logo)
  const [own] = (await ada['projects.board']({ project_id })).cards
  await ada['leases.claim']({ task_id: own!.task_id })
  const seenBy = async (one: typeof ada) => (await one['leases.list']({ team_id })).items.length
  expect([await seenBy(ada), await seenBy(cleo)]).toEqual([2, 1])
})
