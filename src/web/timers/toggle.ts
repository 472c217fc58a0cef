import { cell } from '../data/cell.ts'
import { wordsOf } from '../data/client.ts'
import { complain } from '../frame/toasts.tsx'
import { type About, resume, start, timersNow } from './data.ts'

/** The task whose timer is about to be stopped: a note may be written first. */
export const stopping = cell<number | undefined>(undefined)

/** Starts the timer of a task, goes on with it, or asks for a note to stop it with. */
export async function toggle(task: About) {
  try {
    const timer = (await timersNow()).find(({ task_id }) => task_id === task.task_id)
    if (!timer) await start(task)
    else if (timer.state === 'paused') resume(timer)
    else stopping.put(timer.task_id)
  } catch (error) {
    complain(wordsOf(error))
  }
}
