import { boardNow } from '../board/data.ts'
import { type Spot, spotOf } from '../board/spot.ts'
import { send } from '../data/waiting.ts'
import type { Task } from './data.ts'
import type { Undo } from './undo.ts'

/** Where the card of a task is on its board, as far as the board is at hand. */
export function spotNow({ task_id, project_id }: Task): Spot | undefined {
  const board = boardNow(project_id)
  const card = board?.cards.find((one) => one.task_id === task_id)
  return card && spotOf(board!, card)
}

interface Receipt {
  next_occurrence?: { task_id: number }
}

/** Moves a task back to its column, above the card that it was above as long as that is there. */
export const moveBack =
  ({ task_id, project_id, section_id, recurrence }: Task, spot: Spot | undefined): Undo['put'] =>
  async (receipt) => {
    const { next_occurrence: next } = receipt as Receipt
    const above = boardNow(project_id)?.cards.find((card) => card.task_id === spot?.above)
    if (above?.section_id === section_id)
      await send('tasks.place', { task_id, section_id, above_task_id: above.task_id })
    else await send('tasks.update', { task_id, section_id })
    if (!next) return
    // The rule went over to the next occurrence, which goes away again.
    await send('tasks.update', { task_id: next.task_id, status: 'Deleted' })
    await send('tasks.set_recurrence', { taskId: task_id, recurrence })
  }

/** Takes back only the labels that were added and removed: others may have changed meanwhile. */
export function labelsBack({ task_id, labels }: Task, ids: readonly number[]): Undo {
  const before = labels.map(({ label_id }) => label_id)
  const added = ids.filter((id) => !before.includes(id))
  const removed = labels.filter(({ label_id }) => !ids.includes(label_id))
  return {
    what: 'labels',
    isOurs: () => true,
    shown: (now) => ({
      labels: [...now.labels.filter(({ label_id }) => !added.includes(label_id)), ...removed],
    }),
    put: () =>
      send('tasks.update_many', {
        task_ids: [task_id],
        ...(removed.length && { add_labels: removed.map(({ label_id }) => label_id) }),
        ...(added.length && { remove_labels: added }),
      }),
  }
}
