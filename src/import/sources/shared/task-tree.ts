export interface TreeTask {
  id: string
  board: string
  parent?: string
}

const MAX_LEVELS = 5

/**
 * The parents that tasks can have: on the same board, without cycles, and at most five levels deep.
 * A deeper task becomes a subtask of its ancestor on the fourth level.
 */
export function parentsOf(
  tasks: readonly TreeTask[],
  lose: (what: string, why: string) => void,
): Map<string, string> {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const parents = new Map<string, string>()
  const levels = new Map<string, number>()
  const levelOf = (task: TreeTask, path: ReadonlySet<string>): number => {
    const known = levels.get(task.id)
    if (known !== undefined) return known
    const parent = byId.get(task.parent ?? '')
    const isCycle = parent !== undefined && (path.has(parent.id) || parent.id === task.id)
    if (isCycle) lose(`Parent of ${task.id}`, 'The task would be a subtask of itself')
    let level = 1
    if (parent && !isCycle && parent.board === task.board && path.size < 1000) {
      level = levelOf(parent, new Set(path).add(task.id)) + 1
      let target = parent.id
      if (level > MAX_LEVELS) {
        lose(`Level ${level} of ${task.id}`, 'Subtasks are at most five levels deep')
        target = parents.get(parent.id)!
        level = MAX_LEVELS
      }
      parents.set(task.id, target)
    }
    levels.set(task.id, level)
    return level
  }
  for (const task of tasks) levelOf(task, new Set())
  return parents
}

/** The tasks in the same order, but each behind its parent. */
export function parentsFirst<T extends { id: string }>(
  tasks: readonly T[],
  parents: ReadonlyMap<string, string>,
): T[] {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const sorted = new Set<T>()
  const add = (task: T) => {
    const parent = byId.get(parents.get(task.id) ?? '')
    if (parent && !sorted.has(parent)) add(parent)
    sorted.add(task)
  }
  for (const task of tasks) add(task)
  return [...sorted]
}
