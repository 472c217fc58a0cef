import { useAct } from '../data/cache.ts'
import { type Input, type Name, wordsOf } from '../data/client.ts'
import { complain, say } from '../frame/toasts.tsx'
import { patchTask, readAgain, type Task } from './data.ts'

/** A write about a task. It is shown at once, and as it was where the server refuses. */
export function useDeed<N extends Name>(name: N, task: Task) {
  const { finish } = useAct(name)
  return (input: Input<N>, shown: Partial<Task>, done?: () => void, lost?: () => void) => {
    const back = patchTask(task, shown)
    finish(input).then(
      (output) => {
        readAgain(task.task_id)
        done?.()
        tellNext(output)
      },
      (error: Error) => {
        lost?.()
        back()
        complain(wordsOf(error))
      },
    )
  }
}

/** A task that repeats and is done has one after it. */
function tellNext(output: unknown) {
  const { next_occurrence: next } = (output ?? {}) as {
    next_occurrence?: { ticket_number: string }
  }
  if (next) say(`It repeats: the next one is ${next.ticket_number}`)
}

type Fields = Omit<Input<'tasks.update'>, 'task_id' | 'ticket_number' | 'unique_index'>
export type Change = (
  fields: Fields,
  shown: Partial<Task>,
  done?: () => void,
  lost?: () => void,
) => void

/** The same for what is a field of the task itself. */
export function useChange(task: Task): Change {
  const update = useDeed('tasks.update', task)
  return (fields, shown, ...then) => update({ task_id: task.task_id, ...fields }, shown, ...then)
}
