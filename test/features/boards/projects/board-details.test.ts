import { expect, test } from 'bun:test'
import { world } from '../../../support/world.ts'

test('the details of a board have the times and custom fields of each task on it', async () => {
  const { ada, board, tasks } = await world()
  const { project_id } = board
  const { task_id } = tasks.logo
  const { field_id } = await ada['custom_fields.create']({
    ...{ project_id, name: 'Estimate', type: 'number' },
  })
  await ada['custom_fields.set']({ task_id, field_id, value: 3 })
  await ada['time.log']({ task_identifier: tasks.logo.ticket_number, minutes: 90 })
  const { cards } = await ada['projects.board']({ project_id })
  const details = await ada['projects.board_details']({ project_id })
  const ids = (list: readonly { task_id: number }[]) => list.map(({ task_id }) => task_id).sort()
  expect(ids(details.tasks)).toEqual(ids(cards))
  expect(details.tasks.find((one) => one.task_id === task_id)).toMatchObject({
    ...{ seconds: 90 * 60, values: { [field_id]: 3 } },
    created_at: expect.stringMatching(/^\d{4}-/),
  })
})

test('with since, only the tasks that changed are returned', async () => {
  const { ada, board, tasks } = await world()
  const { project_id } = board
  const { seq } = await ada['projects.board_details']({ project_id })
  await ada['tasks.update']({ task_id: tasks.copy.task_id, title: 'Write all of the copy' })
  const { whole, tasks: changed } = await ada['projects.board_details']({ project_id, since: seq })
  expect(whole).toBe(false)
  expect(changed.map(({ task_id }) => task_id)).toContain(tasks.copy.task_id)
  expect(changed.length).toBeLessThan(3)
})
