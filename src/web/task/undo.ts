import { ask } from '../data/client.ts'
import { refuseUndo } from '../frame/toasts.tsx'
import { patchTask, readAgain, type Task } from './data.ts'

/** How an edit of a task is taken back. */
export interface Undo {
  /** What it changed, such as "priority". */
  what: string
  /** Whether the task is still as the edit left it; where somebody changed it since, it stays. */
  isOurs(now: Task, receipt: object): boolean
  shown(now: Task): Partial<Task>
  put(receipt: object): Promise<unknown>
}

export const readTask = (task_id: number) =>
  ask('tasks.get', { task_id, format: 'html' }) as Promise<Task>

/** Takes an edit back once it was saved, and only where nobody changed the same since. */
export async function takeEditBack(
  { task_id, ticket_number }: Task,
  { what, isOurs, shown, put }: Undo,
  saved: Promise<unknown>,
): Promise<boolean> {
  const receipt = await saved.catch(() => undefined)
  if (!receipt) return false
  const now = await readTask(task_id)
  if (!isOurs(now, receipt)) return refuseUndo(`${what} of ${ticket_number}`)
  const back = patchTask(now, shown(now))
  try {
    await put(receipt)
    return true
  } catch (error) {
    back()
    throw error
  } finally {
    readAgain(task_id)
  }
}
