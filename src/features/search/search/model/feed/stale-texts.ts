import type { PassageKind } from '../../../../../kernel/services.ts'
import type { LoggedChange } from '../../../../../store/log.ts'

/** The texts to index again after a batch of changes. */
export interface StaleTexts {
  /** Tasks whose texts are all affected, because the board, the title or the status changed. */
  tasks: Set<number>
  texts: Record<PassageKind, Set<number>>
}

const FIELDS_OF_ALL_TEXTS = ['title', 'project_id', 'status']
const DESCRIPTION_FIELDS = ['description', 'content_type']

export function staleTextsOf(
  changes: readonly Pick<LoggedChange, 'type' | 'task_id' | 'data'>[],
): StaleTexts {
  const tasks = new Set<number>()
  const texts = {
    description: new Set<number>(),
    comment: new Set<number>(),
    page: new Set<number>(),
    file: new Set<number>(),
  }
  for (const { type, task_id, data } of changes) {
    const changed = Array.isArray(data.changed) ? data.changed : []
    const { comment_id, page_id, attachment_id } = data
    if (type === 'task.deleted') {
      for (const [kind, ids] of Object.entries(data.texts as Record<PassageKind, number[]>))
        for (const id of ids) texts[kind as PassageKind].add(id)
      continue
    }
    // An imported task is created together with its comments, pages and files.
    const affectsAllTexts =
      type === 'task.created' ||
      type === 'task.imported' ||
      FIELDS_OF_ALL_TEXTS.some((name) => changed.includes(name))
    if (type.startsWith('task.') && task_id !== null) {
      if (affectsAllTexts) tasks.add(task_id)
      else if (DESCRIPTION_FIELDS.some((name) => changed.includes(name)))
        texts.description.add(task_id)
    } else if (type.startsWith('comment.') && typeof comment_id === 'number')
      texts.comment.add(comment_id)
    else if (type.startsWith('page.') && typeof page_id === 'number') texts.page.add(page_id)
    else if (type.startsWith('attachment.') && typeof attachment_id === 'number')
      texts.file.add(attachment_id)
  }
  for (const task_id of tasks) texts.description.delete(task_id)
  return { tasks, texts }
}
