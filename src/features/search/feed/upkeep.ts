import type { PassageKind } from '../../../kernel/outside.ts'
import type { Logged } from '../../../store/log.ts'

/** What has to be read again after some changes. */
export interface Upkeep {
  /** Tasks of which every text is: it hangs on another board, under another title, or nowhere. */
  tasks: Set<number>
  texts: Record<PassageKind, Set<number>>
}

const MOVING = ['title', 'project_id', 'status']
const WRITTEN = ['description', 'content_type']

export function upkeepOf(changes: readonly Pick<Logged, 'type' | 'task_id' | 'data'>[]): Upkeep {
  const tasks = new Set<number>()
  const texts = {
    description: new Set<number>(),
    comment: new Set<number>(),
    page: new Set<number>(),
  }
  for (const { type, task_id, data } of changes) {
    const changed = Array.isArray(data.changed) ? data.changed : []
    const { comment_id, page_id } = data
    // What was imported comes with all that hangs on it.
    const isMoved = type === 'task.created' || MOVING.some((name) => changed.includes(name))
    if (type.startsWith('task.') && task_id !== null) {
      if (isMoved) tasks.add(task_id)
      else if (WRITTEN.some((name) => changed.includes(name))) texts.description.add(task_id)
    } else if (type.startsWith('comment.') && typeof comment_id === 'number')
      texts.comment.add(comment_id)
    else if (type.startsWith('page.') && typeof page_id === 'number') texts.page.add(page_id)
  }
  for (const task_id of tasks) texts.description.delete(task_id)
  return { tasks, texts }
}
