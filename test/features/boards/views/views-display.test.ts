import { expect, test } from 'bun:test'
import { world } from '../../../support/world.ts'

const DISPLAY = {
  columns: [{ field: 'title', width: 320 }, { field: 'due' }],
  sorting: [{ mode: 'StartDate', order: 'Descending' as const }],
  group: 'assignee',
  subgroup: 'priority',
  totals: [{ field: 'size', kind: 'average' as const }],
  collapsed: ['assignee:none'],
}

test('a view keeps how the table shows it, until the display is removed', async () => {
  const { ada, board, changes } = await world()
  const { view_id } = await ada['views.create']({ project_id: board.project_id, title: 'Planning' })
  const receipt = await ada['views.set_display']({ view_id, display: DISPLAY })
  expect(receipt.changed).toEqual(['display'])
  expect((await ada['views.get']({ view_id })).display).toEqual(DISPLAY)
  expect((await changes()).at(-1)).toMatchObject({
    ...{ type: 'view.updated', data: { changed: ['display'] } },
  })
  expect((await ada['views.set_display']({ view_id, display: DISPLAY })).changed).toEqual([])
  await ada['views.set_display']({ view_id, display: null })
  expect((await ada['views.get']({ view_id })).display).toBeNull()
})

test('a display with an unknown property or too many columns is refused', async () => {
  const { ada, board, http } = await world()
  const { view_id } = await ada['views.create']({ project_id: board.project_id, title: 'Planning' })
  const put = async (display: unknown) =>
    (await http(ada, 'PUT', `/api/v1/views/${view_id}/display`, { display })).status
  expect(await put({ colors: true })).toBe(400)
  expect(await put({ columns: Array.from({ length: 81 }, () => ({ field: 'title' })) })).toBe(400)
  expect(await put({ columns: [{ field: 'title' }] })).toBe(200)
})
