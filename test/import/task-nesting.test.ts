import { expect, test } from 'bun:test'
import { FieldAccount } from '../../src/import/fields.ts'
import { nestTasks } from '../../src/import/sources/shared/task-nesting.ts'

function nest(tasks: readonly { id: string; parent?: string; board?: string }[]) {
  const losses: string[] = []
  const report = { fields: new FieldAccount({}), lose: (what: string) => void losses.push(what) }
  const drafts = tasks.map((task) => ({ board: 'b', title: task.id, ...task }))
  const nested = nestTasks(new Map(drafts.map((task) => [task.id, task])), report)
  return { losses, parents: nested.map(({ id, parent }) => [id, parent]) }
}

test('a task below the fifth level becomes a subtask of its ancestor on the fourth', () => {
  const chain = ['2', '3', '4', '5', '6', '7'].map((id) => ({ id, parent: `${Number(id) - 1}` }))
  const { parents, losses } = nest([{ id: '1' }, ...chain])
  expect(parents.map(([, parent]) => parent)).toEqual([undefined, '1', '2', '3', '4', '4', '4'])
  expect(losses).toEqual(['Level of 6', 'Level of 7'])
})

test('a cycle is broken, and a parent on another board is left out', () => {
  const { parents, losses } = nest([
    { id: 'a', parent: 'b' },
    { id: 'b', parent: 'c' },
    { id: 'c', parent: 'a' },
    { id: 'd', parent: 'a', board: 'other' },
  ])
  expect(parents.filter(([, parent]) => parent)).toHaveLength(2)
  expect(losses).toEqual(['Parent of c', 'Parent of d'])
})

test('tasks come behind their parents, and otherwise in their order', () => {
  const { parents } = nest([{ id: 'a', parent: 'c' }, { id: 'b' }, { id: 'c' }])
  expect(parents.map(([id]) => id)).toEqual(['c', 'a', 'b'])
})
