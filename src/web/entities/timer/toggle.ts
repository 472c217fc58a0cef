import { createStore } from '../../kit/store.ts'
import { showError } from '../../kit/toasts.tsx'
import { loadTimers, resume, start, type TimedTask } from './data.ts'

/** The id of the task whose timer is being stopped; its note form is open. */
export const stoppingTask = createStore<number | undefined>(undefined)

/** Starts a task's timer, resumes it, or opens the form to stop it. */
export async function toggle(task: TimedTask) {
  try {
    const timer = (await loadTimers()).find(({ task_id }) => task_id === task.task_id)
    if (!timer) await start(task)
    else if (timer.state === 'paused') resume(timer)
    else stoppingTask.set(timer.task_id)
  } catch (error) {
    showError(error)
  }
}
