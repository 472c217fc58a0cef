import { sendWrite } from '../../data/write-queue.ts'
import { currentBoard } from '../../entities/board/data.ts'
import { type Spot, spotOf } from '../../entities/board/spot.ts'
import type { Task } from '../../entities/task/data.ts'
import type { Undo } from '../../entities/task/undo.ts'

/** The position of a task's card, if its board is cached. */
export function currentSpot({ task_id, project_id }: Task): Spot | undefined {
  const board = currentBoard(project_id)
  const card = board?.cards.find((one) => one.task_id === task_id)
  return card && spotOf(board!, card)
}

interface Receipt {
  next_occurrence?: { task_id: number }
}

/** Moves a task back to its section, above its former neighbour if that card is still there. */
export const undoMove =
  ({ task_id, project_id, section_id, recurrence }: Task, spot: Spot | undefined): Undo['revert'] =>
  async (receipt) => {
    const { next_occurrence: next } = receipt as Receipt
    const above = currentBoard(project_id)?.cards.find((card) => card.task_id === spot?.above)
    if (above?.section_id === section_id)
      await sendWrite('tasks.place', { task_id, section_id, above_task_id: above.task_id })
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
    what: 'labels',
    isUnchanged: () => true,
    fieldsBefore: (now) => ({
      labels: [...now.labels.filter(({ label_id }) => !added.includes(label_id)), ...removed],
    }),
    revert: () =>
      sendWrite('tasks.update_many', {
        task_ids: [task_id],
        ...(removed.length && { add_labels: removed.map(({ label_id }) => label_id) }),
        ...(added.length && { remove_labels: added }),
      }),
  }
}
