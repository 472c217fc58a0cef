import { cache } from '../../data/cache.ts'
import { sendWrite } from '../../data/write-queue.ts'
import { restorePage } from '../../entities/page/data.ts'
import { fetchTask } from '../../entities/task/undo.ts'
import { holdsFields } from '../../kit/fields.ts'
import { recordUndo, refuseUndo, showError } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { type Board, type PageRow, reloadArchive, restoringKeys, type Task } from './data.ts'

const reload = () =>
  Promise.all([
    reloadArchive(),
    cache.invalidateQueries({ queryKey: ['projects.board'] }),
    cache.invalidateQueries({ queryKey: ['user_context.get'] }),
  ])

/**
 * Hides rows while a write runs; shows them again if the server refuses. Returns whether it
 * succeeded.
 */
async function hideWhile(keys: readonly string[], write: () => Promise<unknown>): Promise<boolean> {
  restoringKeys.set(new Set([...restoringKeys.get(), ...keys]))
  try {
    await write()
    await reload()
    return true
  } catch (error) {
    showError(error)
    return false
  } finally {
    restoringKeys.set(new Set([...restoringKeys.get()].filter((key) => !keys.includes(key))))
  }
}

export const taskKey = ({ task_id }: Task) => `task ${task_id}`
export const pageKey = ({ page_id }: PageRow) => `page ${page_id}`
export const boardKey = ({ project_id }: Board) => `board ${project_id}`

/** The most tasks that one call accepts. */
const MAX_TASKS = 50

async function setStatus(ids: readonly number[], status: 'Normal' | 'Archive' | 'Deleted') {
  const [task_id] = ids
  if (ids.length === 1) return void (await sendWrite('tasks.update', { task_id: task_id!, status }))
  for (let at = 0; at < ids.length; at += MAX_TASKS)
    await sendWrite('tasks.update_many', { task_ids: ids.slice(at, at + MAX_TASKS), status })
}

/** Restores tasks from the archive or the trash, with undo. */
export async function restoreTasks(tasks: readonly Task[], from: 'Archive' | 'Deleted') {
  const ids = tasks.map(({ task_id }) => task_id)
  const [first] = tasks
  if (!first) return
  const message =
    tasks.length === 1
      ? t('archive.restored_ticket_number', { ticket_number: first.ticket_number })
      : t('archive.restored_count_tasks', { count: tasks.length })
  if (!(await hideWhile(tasks.map(taskKey), () => setStatus(ids, 'Normal')))) return
  const undo = async () => {
    const current = await Promise.all(ids.map(fetchTask))
    if (!current.every((task) => holdsFields(task, { status: 'Normal' })))
      return refuseUndo(
        t('archive.status_of_ticket_number', { ticket_number: first.ticket_number }),
      )
    await setStatus(ids, from)
    await reload()
    return true
  }
  recordUndo({ what: message, undo }, message)
}

/** Restores pages one after the other, with undo. */
export async function restorePages(pages: readonly PageRow[]) {
  const [first] = pages
  if (!first) return
  const message =
    pages.length === 1
      ? t('archive.restored_title', { title: first.title })
      : t('archive.restored_count_pages', { count: pages.length })
  const restoreAll = async () => {
    for (const page of pages) await restorePage(page)
  }
  if (!(await hideWhile(pages.map(pageKey), restoreAll))) return
  const undo = async () => {
    for (const { page_id } of pages) await sendWrite('pages.archive', { page_id })
    await reload()
    return true
  }
  recordUndo({ what: message, undo }, message)
}

export async function restoreBoard(board: Board) {
  const { project_id, title } = board
  const setBoardStatus = (status: 'Normal' | 'Archive') =>
    sendWrite('projects.archive', { project_id, status })
  const message = t('archive.restored_title', { title })
  if (!(await hideWhile([boardKey(board)], () => setBoardStatus('Normal')))) return
  const undo = async () => {
    await setBoardStatus('Archive')
    await reloadArchive()
    return true
  }
  recordUndo({ what: message, undo }, message)
}
