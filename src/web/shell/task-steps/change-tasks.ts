import { cache } from '../../data/cache.ts'
import type { Input } from '../../data/client.ts'
import { sendWrite } from '../../data/write-queue.ts'
import { patchTask, reloadTask, type Task } from '../../entities/task/data.ts'
import { fetchTask } from '../../entities/task/undo.ts'
import { holdsFields } from '../../kit/fields.ts'
import { recordUndo, refuseUndo, showError } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'

type Fields = Omit<Input<'tasks.update_many'>, 'task_ids' | 'ticket_numbers'>

/** A change of several tasks from the command palette. */
export interface TaskChange {
  message: string
  /** How a task looks after it. */
  patch(task: Task): Partial<Task>
  write(task_ids: readonly number[]): Promise<unknown>
  /** Restores one task. */
  undo(task: Task): Promise<unknown>
}

/** Writes the same fields to all tasks, or to one again. */
export const writeFields = (task_ids: readonly number[], fields: Fields) =>
  sendWrite('tasks.update_many', { task_ids: [...task_ids], ...fields })

const reloadBoards = () => void cache.invalidateQueries({ queryKey: ['projects.board'] })

/** Shows a change at once and saves it; reverts it if the server refuses. With undo. */
export async function changeTasks(task_ids: readonly number[], change: TaskChange) {
  const { message, patch, write } = change
  try {
    const tasks = await Promise.all(task_ids.map(fetchTask))
    const reverts = tasks.map((task) => patchTask(task, patch(task)))
    try {
      await write(task_ids)
    } catch (error) {
      for (const revert of reverts) revert()
      throw error
    }
    task_ids.forEach(reloadTask)
    reloadBoards()
    recordUndo({ what: message, undo: () => undoChange(tasks, change) }, message)
  } catch (error) {
    showError(error)
  }
}

/** Restores each task, unless somebody has changed the same since. */
async function undoChange(tasks: readonly Task[], { message, patch, undo }: TaskChange) {
  const current = await Promise.all(tasks.map(({ task_id }) => fetchTask(task_id)))
  const isUnchanged = (task: Task, at: number) => holdsFields(current[at]!, scalarsOf(patch(task)))
  if (!tasks.every(isUnchanged)) return refuseUndo(message)
  for (const task of tasks) await undo(task)
  for (const { task_id } of tasks) reloadTask(task_id)
  reloadBoards()
  return true
}

/** Lists, such as labels, are restored without a comparison: others of them may have changed. */
const scalarsOf = (fields: Partial<Task>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !Array.isArray(value)))

export const countName = (count: number) => t('board.count_tasks', { count })
