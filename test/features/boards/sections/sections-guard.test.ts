import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { claimTask } from '../../../support/fixtures.ts'
import { world } from '../../../support/world.ts'

test('an agent needs the lease of a task to delete its column; a done column ends the lease', async () => {
  const w = await world()
  const { ada, bot, board, sections, tasks } = w
  const mate = await w.addAgent(w.team_id, w.cleo, 'Mate')
  const { project_id } = board
  const remove = {
    ...{ project_id, section_id: sections.Doing },
    move_tasks_to_section_id: sections.Done,
  }
  const withoutLease = await faultOf(bot['sections.delete'](remove))
  expect([withoutLease.code, withoutLease.details.ticket_number]).toEqual(['lease_missing', 'HP-1'])
  const { lease_id } = await claimTask(mate, tasks.logo)
  const withForeignLease = await faultOf(bot['sections.delete'](remove))
  expect([withForeignLease.code, withForeignLease.details.holder]).toEqual(['conflict', 'Mate'])
  expect(await ada['tasks.get'](tasks.logo)).toMatchObject({ section: 'Doing', done: false })

  const withOldLease = await faultOf(mate['sections.delete']({ ...remove, lease_id: 'another' }))
  expect(withOldLease.details.field).toBe('lease_id')
  expect(await mate['sections.delete']({ ...remove, lease_id })).toMatchObject({ moved_tasks: 1 })
  expect((await ada['leases.get'](tasks.logo)).lease).toBeNull()
})

test('an agent needs a lease to change a column so that its tasks become done or open', async () => {
  const { ada, bot, board, sections, tasks } = await world()
  const { project_id } = board
  const doing = { project_id, section_id: sections.Doing }
  for (const change of [{ is_done: true }, { role: 'done' as const }, { title: 'Shipped' }]) {
    const { code } = await faultOf(bot['sections.update']({ ...doing, ...change }))
    expect([change, code]).toEqual([change, 'lease_missing'])
  }
  const reopened = { project_id, section_id: sections.Done, is_done: false }
  expect((await faultOf(bot['sections.update'](reopened))).code).toBe('lease_missing')
  expect(await ada['tasks.get'](tasks.logo)).toMatchObject({ done: false, completed_at: null })
  expect(await ada['tasks.get'](tasks.domain)).toMatchObject({ done: true })

  const { lease_id } = await claimTask(bot, tasks.logo)
  await bot['sections.update']({ ...doing, is_done: true, lease_id })
  expect(await ada['tasks.get'](tasks.logo)).toMatchObject({ done: true })
})

test('an agent needs no lease to rename a column, or to change or delete an empty one', async () => {
  const { bot, board, sections } = await world()
  const { project_id } = board
  await bot['sections.update']({ project_id, section_id: sections.Doing, title: 'Making' })
  await bot['sections.update']({ project_id, section_id: sections.Review, is_done: true })
  await bot['sections.delete']({ project_id, section_id: sections.Review })
})
