import { cache, patchQuery, queryKeyOf, writeOptimistically } from '../../data/cache.ts'
import { callOperation } from '../../data/client.ts'
import { sendWrite } from '../../data/write-queue.ts'
import { showError, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import type { Task } from './data.ts'

type Watchable = Pick<Task, 'task_id' | 'ticket_number'>

/** Starts or stops watching a task, with undo. */
export async function setWatching(task: Watchable, watching: boolean): Promise<void> {
  const { task_id, ticket_number } = task
  try {
    await writeOptimistically(
      () => patchQuery('watchers.get', { task_id }, (current) => ({ ...current, watching })),
      () => sendWrite(watching ? 'watchers.watch' : 'watchers.unwatch', { task_id }),
    )
    void cache.invalidateQueries({ queryKey: queryKeyOf('watchers.get', { task_id }) })
    const message = watching
      ? t('task.you_watch_ticket_number', { ticket_number })
      : t('task.you_no_longer_watch_ticket_number', { ticket_number })
    showToast(message, () => setWatching(task, !watching), `watching ${task_id}`)
  } catch (error) {
    showError(error)
  }
}

/** For where it is not known whether somebody watches the task. */
export async function toggleWatching(task: Watchable): Promise<void> {
  const { task_id } = task
  try {
    const { watching } = await callOperation('watchers.get', { task_id })
    await setWatching(task, !watching)
  } catch (error) {
    showError(error)
  }
}
