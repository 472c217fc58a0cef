import { useAct } from '../data/cache.ts'
import { type Input, type Name, wordsOf } from '../data/client.ts'
import { send } from '../data/waiting.ts'
import { complain, record, say } from '../frame/toasts.tsx'
import { isStill, pick } from '../parts/still.ts'
import { patchTask, readAgain, type Task } from './data.ts'
import { takeEditBack, type Undo } from './undo.ts'

interface Saving {
  /** The edit goes on the undo stack with this. */
  undo?: Undo
  /** The message about it, where one is shown. */
  words?: string | undefined
  done?(): void
  lost?(): void
}

/** A write about a task. It is shown at once, and as it was where the server refuses. */
export function useDeed<N extends Name>(name: N, task: Task) {
  const { finish } = useAct(name)
  return (input: Input<N>, shown: Partial<Task>, { undo, words, done, lost }: Saving = {}) => {
    const back = patchTask(task, shown)
    const saved = finish(input).then((output) => {
      readAgain(task.task_id)
      done?.()
      tellNext(output)
      return output
    })
    const what = `${undo?.what} of ${task.ticket_number}`
    const forget =
      undo && record({ what: words ?? what, undo: () => takeEditBack(task, undo, saved) }, words)
    saved.catch((error: Error) => {
      forget?.()
      lost?.()
      back()
      complain(wordsOf(error))
    })
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

const NAMES = {
  title: 'title',
  priority: 'priority',
  estimate: 'size',
  section_id: 'column',
  due_date: 'due date',
  status: 'status',
  parent_task_id: 'parent',
} as const

interface Changing extends Omit<Saving, 'undo'> {
  /** Called after the undo too. */
  undone?(): void
  undo?: Partial<Undo>
}
export type Change = (fields: Fields, shown: Partial<Task>, saving?: Changing) => void

/** The same for what is a field of the task itself. */
export function useChange(task: Task): Change {
  const { task_id } = task
  const update = useDeed('tasks.update', task)
  return (fields, shown, { undone, undo, ...saving } = {}) => {
    const names = Object.keys(fields)
    const before = pick(task, names) as Fields
    // The server may have cleaned what it was sent; its receipt says what it wrote.
    const written = (receipt: object) => pick({ ...fields, ...receipt }, names)
    update({ task_id, ...fields }, shown, {
      ...saving,
      undo: {
        what: NAMES[names[0] as keyof typeof NAMES],
        isOurs: (now, receipt) => isStill(now, written(receipt)),
        shown: () => pick(task, Object.keys(shown)),
        put: () => send('tasks.update', { task_id, ...before }).then(undone),
        ...undo,
      },
    })
  }
}
