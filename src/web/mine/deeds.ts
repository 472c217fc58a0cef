import { cache, keyOf } from '../data/cache.ts'
import { ask, wordsOf } from '../data/client.ts'
import { send } from '../data/waiting.ts'
import { complain, record, refuseUndo } from '../frame/toasts.tsx'
import { dueWords } from '../parts/dates.ts'
import { PRIORITIES } from '../parts/icon.tsx'
import { isStill } from '../parts/still.ts'
import { readTask } from '../task/undo.ts'
import { type Ahead, showAhead } from './ahead.ts'
import { readMine } from './follow.ts'
import type { MyTask } from './shapes.ts'

/**
 * Shown at once; afterwards the server's list is shown, or what was shown before. Answers whether
 * it was done.
 */
async function does(task: MyTask, change: Ahead, deed: () => Promise<unknown>): Promise<boolean> {
  const end = showAhead(task.task_id, change)
  try {
    await deed()
    await readMine()
    return true
  } catch (error) {
    complain(wordsOf(error))
    return false
  } finally {
    end()
  }
}

async function columnsOf(project_id: number) {
  const input = { project_id, include_hidden: true, limit: 50 }
  const { items } = await cache.ensureQueryData({
    queryKey: keyOf('sections.list', input),
    queryFn: () => ask('sections.list', input),
  })
  return items
}

/** To the first column of its board that counts as done, or that does not. */
async function columnFor({ project_id }: MyTask, isDone: boolean): Promise<number> {
  const some = (await columnsOf(project_id)).filter(({ done }) => done === isDone)
  const column = some.find(({ hidden }) => !hidden) ?? some[0]
  if (column) return column.section_id
  throw new Error(
    isDone
      ? 'No column of this board counts as done. Mark one in the settings of the board'
      : 'Every column of this board counts as done',
  )
}

export const complete = (task: MyTask) =>
  does(task, null, async () => {
    const { task_id, ticket_number, section_id, recurrence } = task
    const done = await columnFor(task, true)
    const { next_occurrence: next } = await send('tasks.update', { task_id, section_id: done })
    const again = next?.due_date ? `. It repeats: ${dueWords(next.due_date).short}` : ''
    const words = `Completed ${ticket_number}${again}`
    recordEdit(task, { section_id: done }, words, {}, async () => {
      // The rule went over to the next one, which goes away again.
      await send('tasks.update', { task_id, section_id, ...(next && { recurrence }) })
      if (next) await send('tasks.update', { task_id: next.task_id, status: 'Deleted' })
    })
  })

export const reopen = (task: MyTask) =>
  does(task, { done: false }, async () => {
    const { task_id, ticket_number, section_id } = task
    const open = await columnFor(task, false)
    await send('tasks.update', { task_id, section_id: open })
    recordEdit(task, { section_id: open }, `Reopened ${ticket_number}`, { done: true }, () =>
      send('tasks.update', { task_id, section_id }),
    )
  })

export const snooze = (task: MyTask, until: string | null) =>
  does(task, until ? null : { snoozed_until: null }, async () => {
    const { task_id, ticket_number, snoozed_until } = task
    const set = (to: string | null) => send('tasks.snooze', { task_id, until: to })
    await set(until)
    const words = until
      ? `Snoozed ${ticket_number} until ${dueWords(until).short}`
      : `Woke ${ticket_number}`
    recordEdit(task, { snoozed_until: until }, words, {}, () =>
      set(isAhead(snoozed_until) ? snoozed_until : null),
    )
  })

const isAhead = (moment: string | null) => moment !== null && new Date(moment) > new Date()

export const setDue = (task: MyTask, due_date: string | null) =>
  change(
    task,
    { due_date },
    due_date
      ? `Due ${task.ticket_number}: ${dueWords(due_date).short}`
      : `${task.ticket_number} has no due date now`,
  )

export const prioritize = (task: MyTask, priority: number) =>
  change(
    task,
    { priority },
    priority
      ? `Priority of ${task.ticket_number}: ${PRIORITIES[priority]}`
      : `${task.ticket_number} has no priority now`,
  )

export const rename = (task: MyTask, title: string) =>
  change(task, { title }, `Renamed ${task.ticket_number}`)

type Fields = Pick<MyTask, 'title'> | Pick<MyTask, 'due_date'> | Pick<MyTask, 'priority'>

const change = (task: MyTask, fields: Fields, words: string) =>
  does(task, fields, async () => {
    const { task_id } = task
    const names = Object.keys(fields) as (keyof MyTask)[]
    const before = Object.fromEntries(names.map((name) => [name, task[name]])) as Fields
    const receipt = await send('tasks.update', { task_id, ...fields })
    const written = 'title' in fields ? { title: receipt.title } : fields
    recordEdit(task, written, words, before, () => send('tasks.update', { task_id, ...before }))
  })

/** Puts an edit on the undo stack; it is taken back where nobody changed the same since. */
function recordEdit(
  task: MyTask,
  written: object,
  words: string,
  before: Ahead,
  put: () => Promise<unknown>,
) {
  const undo = async () => {
    if (isStill(await readTask(task.task_id), written)) return does(task, before, put)
    return refuseUndo(`same of ${task.ticket_number}`)
  }
  record({ what: words, undo }, words)
}
