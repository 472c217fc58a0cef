import type { Report } from '../../source.ts'

interface Nested {
  id: string
  board: string
  title: string
  parent?: string | undefined
}

const MAX_LEVELS = 5

/** Puts parents before their subtasks and repairs parents that a board cannot hold. */
export function nestTasks<T extends Nested>(tasks: ReadonlyMap<string, T>, report: Report): T[] {
  const levels = new Map<string, number>()
  const ordered: T[] = []
  for (const task of tasks.values())
    for (const next of chainOf(task, tasks, levels, report)) {
      const level = next.parent === undefined ? 1 : levels.get(next.parent)! + 1
      if (level > MAX_LEVELS) {
        report.lose(`Level of ${next.title}`, 'Subtasks have at most 5 levels')
        next.parent = tasks.get(next.parent!)!.parent
      }
      levels.set(next.id, Math.min(level, MAX_LEVELS))
      ordered.push(next)
    }
  return ordered
}

/** A task and its ancestors that are not placed yet, from the highest one. */
function chainOf<T extends Nested>(
  task: T,
  tasks: ReadonlyMap<string, T>,
  placed: ReadonlyMap<string, number>,
  report: Report,
): T[] {
  const chain = new Map<string, T>()
  let next: T | undefined = task
  while (next && !placed.has(next.id)) {
    chain.set(next.id, next)
    if (next.parent === undefined) break
    const parent = tasks.get(next.parent)
    const problem = !parent
      ? 'It is not in the files'
      : parent.board !== next.board
        ? 'It is on another board'
        : chain.has(parent.id)
          ? 'It is a subtask of its own subtask'
          : ''
    if (problem) {
      report.lose(`Parent of ${next.title}`, problem)
      next.parent = undefined
      break
    }
    next = parent
  }
  return [...chain.values()].reverse()
}
