import type { Attachment, Comment, Task, TimeEntry } from '../../record.ts'
import type { Report } from '../../source.ts'

/** A task with what is written after it. */
export interface Entry {
  task: Task
  comments: Comment[]
  attachments: Attachment[]
  times: TimeEntry[]
}

const MAX_LEVELS = 5

/** Entries with parents before children, on the same board, at most five levels deep. */
export function inTreeOrder(entries: readonly Entry[], report: Report): Entry[] {
  const byId = new Map(entries.map((entry) => [entry.task.id, entry]))
  const paths = new Map<string, string[]>()
  const ordered: Entry[] = []
  for (const entry of entries)
    for (const next of unplacedAncestors(entry, byId, paths, report)) {
      paths.set(next.task.id, pathOf(next.task, paths, report))
      ordered.push(next)
    }
  return ordered
}

/** The entry and its ancestors that have no path yet, from the top. Removes invalid parents. */
function unplacedAncestors(
  entry: Entry,
  byId: ReadonlyMap<string, Entry>,
  paths: ReadonlyMap<string, string[]>,
  report: Report,
): Entry[] {
  const chain: Entry[] = []
  const ids = new Set<string>()
  let next: Entry | undefined = entry
  while (next && !paths.has(next.task.id)) {
    chain.push(next)
    ids.add(next.task.id)
    const { task }: Entry = next
    if (task.parent === undefined) break
    const parent = byId.get(task.parent)
    const isElsewhere = parent !== undefined && parent.task.board !== task.board
    if (!parent || isElsewhere || ids.has(task.parent)) {
      const why = isElsewhere ? 'It is on another board' : 'It is the subtask of its subtask'
      report.lose('The parent of a task', parent ? why : 'It is not imported')
      delete task.parent
      break
    }
    next = parent
  }
  return chain.reverse()
}

/** The ids from the top of the tree to the task. A task below level five moves up to it. */
function pathOf(task: Task, paths: ReadonlyMap<string, string[]>, report: Report): string[] {
  const above = (task.parent !== undefined && paths.get(task.parent)) || []
  if (above.length < MAX_LEVELS) return [...above, task.id]
  report.lose('The level of a subtask', 'Subtasks are at most five levels deep')
  const ancestors = above.slice(0, MAX_LEVELS - 1)
  task.parent = ancestors.at(-1)!
  return [...ancestors, task.id]
}
