import { sendWrite } from '../../data/write-queue.ts'
import { currentBoard } from '../../entities/board/data.ts'
import { type Placement, placementOf } from '../../entities/board/placement.ts'
import type { Task } from '../../entities/task/data.ts'
import type { Undo } from '../../entities/task/undo.ts'
import { t } from '../../messages/t.ts'

/** The position of a task's card, if its board is cached. */
export function currentPlacement({ task_id, project_id }: Task): Placement | undefined {
  const board = currentBoard(project_id)
  const card = board?.cards.find((one) => one.task_id === task_id)
  return card && placementOf(board!, card)
}

interface Receipt {
  next_occurrence?: { task_id: number }
}

/** Moves a task back to its section, above its former neighbour if that card is still there. */
export const undoMove =
  (
    { task_id, project_id, section_id, recurrence }: Task,
    placement: Placement | undefined,
  ): Undo['revert'] =>
  async (receipt) => {
    const { next_occurrence: next } = receipt as Receipt
    const cardBelow = currentBoard(project_id)?.cards.find(
      (card) => card.task_id === placement?.above_task_id,
    )
    if (cardBelow?.section_id === section_id)
      await sendWrite('tasks.place', { task_id, section_id, above_task_id: cardBelow.task_id })
    else await sendWrite('tasks.update', { task_id, section_id })
    if (!next) return
    // Completing moved the repeat rule to the next occurrence: delete that and restore the rule.
    await sendWrite('tasks.update', { task_id: next.task_id, status: 'Deleted' })
    await sendWrite('tasks.set_recurrence', { taskId: task_id, recurrence })
  }

/** Undoes only the labels added and removed by this edit: others may have changed meanwhile. */
export function undoLabels({ task_id, labels }: Task, ids: readonly number[]): Undo {
  const before = labels.map(({ label_id }) => label_id)
  const added = ids.filter((id) => !before.includes(id))
  const removed = labels.filter(({ label_id }) => !ids.includes(label_id))
  return {
    what: t('task.field_inline', { field: 'labels' }),
    isUnchanged: () => true,
    fieldsBefore: (current) => ({
      labels: [...current.labels.filter(({ label_id }) => !added.includes(label_id)), ...removed],
    }),
    revert: () =>
      sendWrite('tasks.update_many', {
        task_ids: [task_id],
        ...(removed.length && { add_labels: removed.map(({ label_id }) => label_id) }),
        ...(added.length && { remove_labels: added }),
      }),
  }
}
