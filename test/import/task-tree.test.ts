import { expect, test } from 'bun:test'
import { parentsFirst, parentsOf } from '../../src/import/sources/shared/task-tree.ts'

const losses: string[] = []
const lose = (what: string) => void losses.push(what)
const task = (id: string, parent?: string, board = 'b') => ({ id, board, parent })

test('a task below the fifth level becomes a subtask of its ancestor on the fourth', () => {
  const chain = ['1', '2', '3', '4', '5', '6', '7'].map((id) => task(id, String(Number(id) - 1)))
  expect([...parentsOf(chain, lose)]).toEqual([
    ['2', '1'],
    ['3', '2'],
    ['4', '3'],
    ['5', '4'],
    ['6', '4'],
    ['7', '4'],
  ])
  expect(losses.splice(0)).toEqual(['Level 6 of 6', 'Level 6 of 7'])
})

test('a cycle is broken, and a parent on another board is left out', () => {
  const tasks = [task('a', 'b'), task('b', 'c'), task('c', 'a'), task('d', 'a', 'other')]
  const parents = parentsOf(tasks, lose)
  expect(parents.size).toBe(2)
  expect(parents.has('d')).toBe(false)
  expect(losses.splice(0)).toHaveLength(1)
})

test('tasks come behind their parents, and otherwise in their order', () => {
  const tasks = [task('a', 'c'), task('b'), task('c')]
  const sorted = parentsFirst(tasks, parentsOf(tasks, lose))
  expect(sorted.map(({ id }) => id)).toEqual(['c', 'a', 'b'])
})
