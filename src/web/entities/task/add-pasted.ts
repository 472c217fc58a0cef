import type { Input } from '../../data/client.ts'
import { sendWrite } from '../../data/write-queue.ts'
import { recordUndo, showError, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { assignAgents } from './assign-agents.ts'
import { countLines, type PastedLine, readPastedLines } from './pasted-lines.ts'
import { typedTaskOf } from './understood.ts'

/** Where new tasks go, with the values that they get there. */
export type Place = Omit<Input<'tasks.create'>, 'title'> & { project_id: number }

const MAX_TITLE = 500
const MAX_TASKS_PER_CALL = 50

/** Creates a task for each pasted line, with one undo for all. */
export async function addPastedLines(place: Place, lines: readonly PastedLine[]) {
  const count = countLines(lines)
  const close = showToast(t('board.creating_tasks', { count }))
  const created: number[] = []
  try {
    await createLines(place, lines, created)
  } catch (error) {
    showError(error)
  }
  close()
  offerUndo(created)
}

async function createLines(place: Place, lines: readonly PastedLine[], created: number[]) {
  for (const { title, children } of lines) {
    const { agent_ids = [], ...fields } = await typedTaskOf(place.project_id, title)
    const { task_id } = await sendWrite('tasks.create', { ...place, ...fields })
    created.push(task_id)
    assignAgents(task_id, agent_ids)
    await createLines({ ...place, parent_task_id: task_id }, children, created)
  }
}

/** Creates one task: its title is the first line, and its description the other lines. */
export async function addPastedText(place: Place, text: string) {
  const [title = '', ...rest] = text.trim().split(/\r\n?|\n/)
  const [line] = readPastedLines(title)
  const description = rest.join('\n').trim()
  try {
    const { task_id } = await sendWrite('tasks.create', {
      ...place,
      title: (line?.title ?? title).slice(0, MAX_TITLE),
      ...(description && { description, content_type: 'markdown' }),
    })
    offerUndo([task_id])
  } catch (error) {
    showError(error)
  }
}

function offerUndo(task_ids: readonly number[]) {
  if (!task_ids.length) return
  const what = t('board.created_tasks', { count: task_ids.length })
  recordUndo({ what, undo: () => deleteTasks(task_ids) }, what)
}

async function deleteTasks(task_ids: readonly number[]) {
  for (let at = 0; at < task_ids.length; at += MAX_TASKS_PER_CALL)
    await sendWrite('tasks.update_many', {
      task_ids: task_ids.slice(at, at + MAX_TASKS_PER_CALL),
      status: 'Deleted',
    })
  return true
}
