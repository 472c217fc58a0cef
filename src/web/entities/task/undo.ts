import { callOperation } from '../../data/client.ts'
import { refuseUndo } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { patchTask, reloadTask, type Task } from './data.ts'

/** How to undo an edit of a task. */
export interface Undo {
  /** What the edit changed, such as "priority". */
  what: string
  /** Whether nobody has changed the edited fields since. If somebody has, the undo is refused. */
  isUnchanged(current: Task, receipt: object): boolean
  fieldsBefore(current: Task): Partial<Task>
  revert(receipt: object): Promise<unknown>
}

export const fetchTask = (task_id: number) =>
  callOperation('tasks.get', { task_id, format: 'html' }) as Promise<Task>

/** Undoes an edit once its save has finished, unless the same was changed since. */
export async function undoEdit(
  { task_id, ticket_number }: Task,
  { what, isUnchanged, fieldsBefore, revert }: Undo,
  save: Promise<unknown>,
): Promise<boolean> {
  const receipt = await save.catch(() => undefined)
  if (!receipt) return false
  const current = await fetchTask(task_id)
  if (!isUnchanged(current, receipt))
    return refuseUndo(t('task.what_of_ticket_number', { what, ticket_number }))
  const revertPatch = patchTask(current, fieldsBefore(current))
  try {
    await revert(receipt)
    return true
  } catch (error) {
    revertPatch()
    throw error
  } finally {
    reloadTask(task_id)
  }
}
