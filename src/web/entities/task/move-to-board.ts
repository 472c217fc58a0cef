import { cache } from '../../data/cache.ts'
import { sendWrite } from '../../data/write-queue.ts'
import { showError, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { patchCards } from '../board/data.ts'
import type { Task } from './data.ts'

type Movable = Pick<Task, 'task_id' | 'ticket_number' | 'section_id'>

/**
 * Moves tasks to another board, which gives them new keys. Their cards disappear at once, and come
 * back if the server refuses.
 */
export async function moveToBoard(
  project_id: number,
  tasks: readonly Movable[],
  board: { project_id: number; title: string },
  /** Called with the new key of each task, also after an undo. */
  onMoved: (ticket: string) => void = () => {},
) {
  const move = async (task: Movable, target_project_id: number, target_section_id?: number) => {
    const moved = await sendWrite('tasks.move', {
      ...{ task_id: task.task_id, target_project_id },
      ...(target_section_id !== undefined && { target_section_id }),
    })
    cache.removeQueries({ queryKey: ['number', task.ticket_number] })
    onMoved(moved.ticket_number)
    return moved.ticket_number
  }
  const ids = new Set(tasks.map(({ task_id }) => task_id))
  const revertCards = patchCards(project_id, ids, () => undefined)
  const moveBack = async () => {
    for (const task of tasks) await move(task, project_id, task.section_id)
  }
  try {
    let key = ''
    for (const task of tasks) key = await move(task, board.project_id)
    showToast(messageOf(tasks, board.title, key), () => void moveBack().catch(showError))
  } catch (error) {
    revertCards()
    showError(error)
  }
}

const messageOf = ([task, ...others]: readonly Movable[], title: string, key: string) =>
  others.length
    ? t('task.moved_count_tasks_to_title', { count: others.length + 1, title })
    : t('task.moved_ticket_number_to_title_as_key', {
        ticket_number: task!.ticket_number,
        title,
        key,
      })
