import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { world } from '../../../support/world.ts'

const rule = (field: string, op: string, value?: unknown) => ({ field, op, value })

test('each rule of a filter has the tasks that match it alone', async () => {
  const { cleo, board, tasks } = await world()
  const { project_id } = board
  const { task_id } = tasks.logo
  await cleo['tasks.update']({ task_id, priority: 'Urgent', due_date: '2026-01-01' })
  const rules = [rule('priority', 'is', 'Urgent'), rule('due_date', 'not_empty')]
  const board_filters = { groups: [{ match: 'ALL', rules }] }
  const { matches } = await cleo['views.matches']({ project_id, board_filters } as never)
  expect(
    matches.map(({ rule: { field }, task_ids }) => [field, task_ids.includes(task_id)]),
  ).toEqual([
    ['priority', true],
    ['due_date', true],
  ])
  await cleo['tasks.update']({ task_id, priority: 'Low' })
  const later = await cleo['views.matches']({ project_id, board_filters } as never)
  expect(later.matches.map(({ task_ids }) => task_ids.includes(task_id))).toEqual([false, true])
})

test('the matches of a board are refused to people who cannot read it, and so are unknown fields', async () => {
  const { cleo, otto, board } = await world()
  const { project_id } = board
  const filters = (field: string) => ({ groups: [{ rules: [rule(field, 'is', 'Urgent')] }] })
  const read = (actor: typeof cleo, field: string) =>
    faultOf(actor['views.matches']({ project_id, board_filters: filters(field) } as never))
  expect((await read(otto, 'priority')).code).toBe('not_found')
  expect((await read(cleo, 'colour')).code).toBe('invalid')
})
