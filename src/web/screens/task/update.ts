import { useOperationMutation } from '../../data/cache.ts'
import type { Input, OperationName } from '../../data/client.ts'
import { sendWrite } from '../../data/write-queue.ts'
import { patchTask, reloadTask, type Task } from '../../entities/task/data.ts'
import { TASK_FIELDS } from '../../entities/task/task-fields.tsx'
import { type Undo, undoEdit } from '../../entities/task/undo.ts'
import { holdsFields, pickFields } from '../../kit/fields.ts'
import { recordUndo, showError, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'

interface MutationOptions {
  /** How to undo the edit. If given, the edit is added to the undo stack. */
  undo?: Undo
  /** The message to show, if any. */
  message?: string | undefined
  onSaved?(): void
  onFailed?(): void
}

/** A mutation of a task with an optimistic update, which is reverted if the server refuses it. */
export function useTaskMutation<N extends OperationName>(name: N, task: Task) {
  const { mutateAsync } = useOperationMutation(name)
  return (
    input: Input<N>,
    patch: Partial<Task>,
    { undo, message, onSaved, onFailed }: MutationOptions = {},
  ) => {
    const revert = patchTask(task, patch)
    const save = mutateAsync(input).then((output) => {
      reloadTask(task.task_id)
      onSaved?.()
      announceNextOccurrence(output)
      return output
    })
    const what = t('task.what_of_ticket_number', {
      what: undo?.what,
      ticket_number: task.ticket_number,
    })
    const forget =
      undo && recordUndo({ what: message ?? what, undo: () => undoEdit(task, undo, save) }, message)
    save.catch((error: Error) => {
      forget?.()
      onFailed?.()
      revert()
      showError(error)
    })
  }
}

/** Completing a repeating task creates its next occurrence; this shows its key. */
function announceNextOccurrence(output: unknown) {
  const { next_occurrence: next } = (output ?? {}) as {
    next_occurrence?: { ticket_number: string }
  }
  if (next)
    showToast(t('task.next_occurrence_ticket_number', { ticket_number: next.ticket_number }))
}

type Fields = Omit<Input<'tasks.update'>, 'task_id' | 'ticket_number' | 'unique_index'>

const nouns = new Map<string, string>([
  ...TASK_FIELDS.map(({ name, noun }) => [name, noun] as const),
  ['section_id', 'column'],
  ['parent_task_id', 'parent'],
])
const nameOf = (field = '') => t('task.field_inline', { field: nouns.get(field) ?? field })

interface UpdateOptions extends Omit<MutationOptions, 'undo'> {
  /** Called after an undo. */
  onUndone?(): void
  undo?: Partial<Undo>
}
export type UpdateTask = (fields: Fields, shown: Partial<Task>, saving?: UpdateOptions) => void

/** `useTaskMutation` for the task's own fields, written with `tasks.update`. */
export function useTaskUpdate(task: Task): UpdateTask {
  const { task_id } = task
  const update = useTaskMutation('tasks.update', task)
  return (fields, patch, { onUndone, undo, ...saving } = {}) => {
    const names = Object.keys(fields)
    const before = pickFields(task, names) as Fields
    // The server may normalize a value; the receipt holds the value that it stored.
    const written = (receipt: object) => pickFields({ ...fields, ...receipt }, names)
    update({ task_id, ...fields }, patch, {
      ...saving,
      undo: {
        what: nameOf(names[0]),
        isUnchanged: (current, receipt) => holdsFields(current, written(receipt)),
        fieldsBefore: () => pickFields(task, Object.keys(patch)),
        revert: () => sendWrite('tasks.update', { task_id, ...before }).then(onUndone),
        ...undo,
      },
    })
  }
}
