const MAX_LEVELS = 5

interface Events {
  /** A task is too deep, and moved up to another parent. */
  onMoved(id: string): void
  /** A task is below itself, and loses its parent. */
  onCycle(id: string): void
}

/** The parents of tasks, by their ids, so that there are at most five levels and no cycles. */
export function limitDepth(parents: ReadonlyMap<string, string>, on: Events): Map<string, string> {
  const result = new Map<string, string>()
  const levels = new Map<string, number>()
  for (const id of parents.keys())
    for (const task of pathTo(id, parents, levels).reverse()) {
      const parent = parents.get(task)
      const level = parent === undefined ? 0 : levels.get(parent)
      if (level === undefined) on.onCycle(task)
      levels.set(task, Math.min((level ?? 0) + 1, MAX_LEVELS))
      if (!level) continue
      if (level === MAX_LEVELS) on.onMoved(task)
      result.set(task, level === MAX_LEVELS ? result.get(parent!)! : parent!)
    }
  return result
}

/** A task and its ancestors, up to the first one with a known level. */
function pathTo(
  id: string,
  parents: ReadonlyMap<string, string>,
  levels: ReadonlyMap<string, number>,
): string[] {
  const path = new Set<string>()
  let task: string | undefined = id
  while (task !== undefined && !levels.has(task) && !path.has(task)) {
    path.add(task)
    task = parents.get(task)
  }
  return [...path]
}

/** Tasks in their order, but each parent before its children. */
export function* parentsFirst<T>(
  tasks: ReadonlyMap<string, T>,
  parents: ReadonlyMap<string, string>,
): Generator<[string, T]> {
  const yielded = new Map<string, number>()
  for (const id of tasks.keys())
    for (const task of pathTo(id, parents, yielded).reverse()) {
      yielded.set(task, 0)
      const content = tasks.get(task)
      if (content !== undefined) yield [task, content]
    }
}
