import type { Task } from '../../record.ts'
import type { Report } from '../../source.ts'

const MAX_LEVELS = 5

/**
 * Puts each parent before its subtasks. A parent that is missing, on another board or below its own
 * subtask is dropped; tasks below the fifth level move up to it.
 */
export function nestTasks(tasks: readonly Task[], report: Report): Task[] {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const placed = new Map<string, { parent: string | undefined; level: number }>()
  const result: Task[] = []
  const place = (task: Task, isCycle: boolean) => {
    const { parent, ...rest } = task
    const above = parent === undefined || isCycle ? undefined : placed.get(parent)
    const isSameBoard = above && byId.get(parent!)!.board === task.board
    if (parent !== undefined && !isSameBoard)
      report.lose(`Parent of "${task.title}"`, 'it is missing, on another board or its own subtask')
    if (!isSameBoard) return add(rest, undefined, 1)
    if (above.level < MAX_LEVELS) return add(rest, parent, above.level + 1)
    report.lose(`Parent of "${task.title}"`, 'tasks have at most five levels; it moves up')
    add(rest, above.parent, MAX_LEVELS)
  }
  const add = (task: Task, parent: string | undefined, level: number) => {
    placed.set(task.id, { parent, level })
    result.push({ ...task, ...(parent !== undefined && { parent }) })
  }
  for (const task of tasks) {
    const chain = new Set<Task>()
    let next: Task | undefined = task
    while (next && !placed.has(next.id) && !chain.has(next)) {
      chain.add(next)
      next = next.parent === undefined ? undefined : byId.get(next.parent)
    }
    const isCycle = next !== undefined && chain.has(next)
    for (const [index, item] of [...chain].reverse().entries()) place(item, isCycle && index === 0)
  }
  return result
}
