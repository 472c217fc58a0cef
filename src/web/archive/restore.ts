import { cache } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import { send } from '../data/waiting.ts'
import { complain, record, refuseUndo } from '../frame/toasts.tsx'
import { isStill } from '../parts/still.ts'
import { readTask } from '../task/undo.ts'
import { type Board, leaving, readArchive, type Task } from './data.ts'

const withKey = (key: string) => new Set([...leaving.get(), key])
const withoutKey = (key: string) => new Set([...leaving.get()].filter((one) => one !== key))

/** Hides the row at once, and shows it again if the server refuses; answers whether it was done. */
async function change(key: string, write: () => Promise<unknown>): Promise<boolean> {
  leaving.put(withKey(key))
  try {
    await write()
    await Promise.all([
      readArchive(),
      cache.invalidateQueries({ queryKey: ['projects.board'] }),
      cache.invalidateQueries({ queryKey: ['user_context.get'] }),
    ])
    return true
  } catch (error) {
    complain(wordsOf(error))
    return false
  } finally {
    leaving.put(withoutKey(key))
  }
}

export const taskKey = ({ task_id }: Task) => `task ${task_id}`
export const boardKey = ({ project_id }: Board) => `board ${project_id}`

export async function restoreTask(task: Task) {
  const { task_id, ticket_number } = task
  const store = (status: 'Normal' | 'Archive') => send('tasks.update', { task_id, status })
  const words = `Restored ${ticket_number}`
  if (!(await change(taskKey(task), () => store('Normal')))) return
  const undo = async () => {
    if (!isStill(await readTask(task_id), { status: 'Normal' }))
      return refuseUndo(`status of ${ticket_number}`)
    await store('Archive')
    await readArchive()
    return true
  }
  record({ what: words, undo }, words)
}

export async function restoreBoard(board: Board) {
  const { project_id, title } = board
  const store = (status: 'Normal' | 'Archive') => send('projects.archive', { project_id, status })
  const words = `Restored ${title}`
  if (!(await change(boardKey(board), () => store('Normal')))) return
  const undo = async () => {
    await store('Archive')
    await readArchive()
    return true
  }
  record({ what: words, undo }, words)
}
