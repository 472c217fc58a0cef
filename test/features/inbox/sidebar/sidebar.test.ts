import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { world } from '../../../support/world.ts'

const folder = { id: 'work', title: 'Work' }
const tasks = { id: 'mine', title: 'My tasks', path: '/my', folder_id: 'work' }

test('a sidebar belongs to one person and keeps the order of its entries', async () => {
  const { ada, cleo } = await world()
  expect(await ada['sidebar.get']({})).toEqual({ version: 0, entries: [] })
  await ada['sidebar.update']({ entries: [folder, tasks], if_version: 0 })
  expect(await ada['sidebar.get']({})).toEqual({ version: 1, entries: [folder, tasks] })
  expect((await cleo['sidebar.get']({})).entries).toEqual([])
})

test('a sidebar that somebody has changed in another tab is not overwritten', async () => {
  const { ada } = await world()
  await ada['sidebar.update']({ entries: [folder], if_version: 0 })
  const fault = await faultOf(ada['sidebar.update']({ entries: [tasks], if_version: 0 }))
  expect(fault.code).toBe('invalid')
  const outdated = await faultOf(ada['sidebar.update']({ entries: [], if_version: 0 }))
  expect(outdated).toMatchObject({ code: 'conflict', details: { field: 'if_version' } })
  expect((await ada['sidebar.get']({})).entries).toEqual([folder])
})

test('duplicate ids, unknown folders and folders in folders are refused', async () => {
  const { ada } = await world()
  const refuse = async (...entries: object[]) =>
    (await faultOf(ada['sidebar.update']({ entries, if_version: 0 } as never))).message
  expect(await refuse(folder, folder)).toContain('Two entries')
  expect(await refuse(tasks)).toContain('no folder work')
  expect(await refuse(folder, { ...folder, id: 'b', folder_id: 'work' })).toContain('cannot be')
})

test('a pinned page has its present title, and keeps the old one where the caller lost access', async () => {
  const { ada, cleo, board } = await world()
  const { task_id } = await ada['tasks.create']({ project_id: board.project_id, title: 'Paint' })
  const { page_id } = await ada['pages.create']({ task_id, title: 'Colours', content: 'Blue' })
  const entries = [{ id: 'a', title: 'Colours', path: `/p/${page_id}` }]
  await ada['sidebar.update']({ entries, if_version: 0 })
  await ada['pages.update']({ page_id, title: 'Shades' })
  expect((await ada['sidebar.get']({})).entries[0]!.title).toBe('Shades')
  await cleo['sidebar.update']({ entries: [{ ...entries[0]!, path: '/p/999' }], if_version: 0 })
  expect((await cleo['sidebar.get']({})).entries[0]!.title).toBe('Colours')
})
