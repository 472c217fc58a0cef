import { cache } from '../../data/cache.ts'
import { sendWrite } from '../../data/write-queue.ts'
import { fetchTask } from '../../entities/task/undo.ts'
import { holdsFields } from '../../kit/fields.ts'
import { recordUndo, refuseUndo, showError } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { type Board, reloadArchive, restoringKeys, type Task } from './data.ts'

const withKey = (key: string) => new Set([...restoringKeys.get(), key])
const withoutKey = (key: string) => new Set([...restoringKeys.get()].filter((one) => one !== key))

/**
 * Hides a row while a write runs; shows it again if the server refuses. Returns whether it
 * succeeded.
 */
async function hideWhile(key: string, write: () => Promise<unknown>): Promise<boolean> {
  restoringKeys.set(withKey(key))
  try {
    await write()
    await Promise.all([
      reloadArchive(),
      cache.invalidateQueries({ queryKey: ['projects.board'] }),
      cache.invalidateQueries({ queryKey: ['user_context.get'] }),
    ])
    return true
  } catch (error) {
    showError(error)
    return false
  } finally {
    restoringKeys.set(withoutKey(key))
  }
}

export const taskKey = ({ task_id }: Task) => `task ${task_id}`
export const boardKey = ({ project_id }: Board) => `board ${project_id}`

export async function restoreTask(task: Task) {
  const { task_id, ticket_number } = task
  const setStatus = (status: 'Normal' | 'Archive') => sendWrite('tasks.update', { task_id, status })
  const message = t('archive.restored_ticket_number', { ticket_number })
  if (!(await hideWhile(taskKey(task), () => setStatus('Normal')))) return
  const undo = async () => {
    if (!holdsFields(await fetchTask(task_id), { status: 'Normal' }))
      return refuseUndo(t('archive.status_of_ticket_number', { ticket_number }))
    await setStatus('Archive')
    await reloadArchive()
    return true
  }
  recordUndo({ what: message, undo }, message)
}

export async function restoreBoard(board: Board) {
  const { project_id, title } = board
  const setStatus = (status: 'Normal' | 'Archive') =>
    sendWrite('projects.archive', { project_id, status })
  const message = t('archive.restored_title', { title })
  if (!(await hideWhile(boardKey(board), () => setStatus('Normal')))) return
  const undo = async () => {
    await setStatus('Archive')
    await reloadArchive()
    return true
  }
  recordUndo({ what: message, undo }, message)
}
