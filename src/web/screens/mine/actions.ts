import { cache, queryKeyOf } from '../../data/cache.ts'
import { callOperation } from '../../data/client.ts'
import { sendWrite } from '../../data/write-queue.ts'
import { PRIORITIES } from '../../entities/task/priority.tsx'
import { fetchTask } from '../../entities/task/undo.ts'
import { dueText } from '../../kit/dates.ts'
import { holdsFields } from '../../kit/fields.ts'
import { recordUndo, refuseUndo, showError } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { reloadMyTasks } from './follow.ts'
import { type OptimisticChange, showOptimistically } from './optimistic.ts'
import type { MyTask } from './types.ts'

/**
 * Shows a change optimistically while an operation runs, then the server's list, or the previous
 * one on failure. Returns whether the operation succeeded.
 */
async function runOptimistically(
  task: MyTask,
  change: OptimisticChange,
  operation: () => Promise<unknown>,
): Promise<boolean> {
  const endChange = showOptimistically(task.task_id, change)
  try {
    await operation()
    await reloadMyTasks()
    return true
  } catch (error) {
    showError(error)
    return false
  } finally {
    endChange()
  }
}

async function columnsOf(project_id: number) {
  const input = { project_id, include_hidden: true, limit: 50 }
  const { items } = await cache.ensureQueryData({
    queryKey: queryKeyOf('sections.list', input),
    queryFn: () => callOperation('sections.list', input),
  })
  return items
}

/** The first visible section of the task's board that counts as done, or that does not. */
async function columnFor({ project_id }: MyTask, isDone: boolean): Promise<number> {
  const columns = (await columnsOf(project_id)).filter(({ done }) => done === isDone)
  const column = columns.find(({ hidden }) => !hidden) ?? columns[0]
  if (column) return column.section_id
  throw new Error(
    isDone
      ? t('mine.no_column_of_this_board_counts_as')
      : t('mine.every_column_of_this_board_counts_as'),
  )
}

export const complete = (task: MyTask) =>
  runOptimistically(task, null, async () => {
    const { task_id, ticket_number, section_id, recurrence } = task
    const done = await columnFor(task, true)
    const { next_occurrence: next } = await sendWrite('tasks.update', { task_id, section_id: done })
    const message = next?.due_date
      ? t('mine.completed_with_next_occurrence', {
          ticket_number,
          short: dueText(next.due_date).short,
        })
      : t('mine.completed_ticket_number', { ticket_number })
    recordEdit(task, { section_id: done }, message, {}, async () => {
      // Completing moved the repeat rule to the next occurrence: delete that and restore the rule.
      await sendWrite('tasks.update', { task_id, section_id, ...(next && { recurrence }) })
      if (next) await sendWrite('tasks.update', { task_id: next.task_id, status: 'Deleted' })
    })
  })

export const reopen = (task: MyTask) =>
  runOptimistically(task, { done: false }, async () => {
    const { task_id, ticket_number, section_id } = task
    const open = await columnFor(task, false)
    await sendWrite('tasks.update', { task_id, section_id: open })
    recordEdit(
      task,
      { section_id: open },
      t('mine.reopened_ticket_number', { ticket_number }),
      { done: true },
      () => sendWrite('tasks.update', { task_id, section_id }),
    )
  })

export const snooze = (task: MyTask, until: string | null) =>
  runOptimistically(task, until ? null : { snoozed_until: null }, async () => {
    const { task_id, ticket_number, snoozed_until } = task
    const set = (to: string | null) => sendWrite('tasks.snooze', { task_id, until: to })
    await set(until)
    const message = until
      ? t('mine.snoozed_ticket_number_until_short', { ticket_number, short: dueText(until).short })
      : t('mine.unsnoozed_ticket_number', { ticket_number })
    recordEdit(task, { snoozed_until: until }, message, {}, () =>
      set(isFuture(snoozed_until) ? snoozed_until : null),
    )
  })

const isFuture = (moment: string | null) => moment !== null && new Date(moment) > new Date()

export const setDue = (task: MyTask, due_date: string | null) =>
  update(
    task,
    { due_date },
    due_date
      ? t('mine.ticket_number_due_short', {
          ticket_number: task.ticket_number,
          short: dueText(due_date).short,
        })
      : t('mine.removed_due_date_from_ticket_number', { ticket_number: task.ticket_number }),
  )

export const prioritize = (task: MyTask, priority: number) =>
  update(
    task,
    { priority },
    priority
      ? t('mine.set_priority_of_ticket_number_to_priority', {
          ticket_number: task.ticket_number,
          priority: PRIORITIES[priority],
        })
      : t('mine.removed_priority_from_ticket_number', { ticket_number: task.ticket_number }),
  )

export const rename = (task: MyTask, title: string) =>
  update(task, { title }, t('mine.renamed_ticket_number', { ticket_number: task.ticket_number }))

type Fields = Pick<MyTask, 'title'> | Pick<MyTask, 'due_date'> | Pick<MyTask, 'priority'>

const update = (task: MyTask, fields: Fields, message: string) =>
  runOptimistically(task, fields, async () => {
    const { task_id } = task
    const names = Object.keys(fields) as (keyof MyTask)[]
    const before = Object.fromEntries(names.map((name) => [name, task[name]])) as Fields
    const receipt = await sendWrite('tasks.update', { task_id, ...fields })
    const written = 'title' in fields ? { title: receipt.title } : fields
    recordEdit(task, written, message, before, () =>
      sendWrite('tasks.update', { task_id, ...before }),
    )
  })

/** Puts an edit on the undo stack. The undo is refused if the same was changed since. */
function recordEdit(
  task: MyTask,
  written: object,
  message: string,
  before: OptimisticChange,
  revert: () => Promise<unknown>,
) {
  const undo = async () => {
    if (holdsFields(await fetchTask(task.task_id), written))
      return runOptimistically(task, before, revert)
    return refuseUndo(t('mine.same_field_of_ticket_number', { ticket_number: task.ticket_number }))
  }
  recordUndo({ what: message, undo }, message)
}
