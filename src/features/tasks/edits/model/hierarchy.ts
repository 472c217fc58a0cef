import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import type { Project } from '../../../boards/projects/model/index.ts'
import { type Task, taskById, tasks } from '../../tasks/model/index.ts'

export const MAX_LEVELS = 20

/** Refuses a parent on another board, a cycle and a tree that gets too deep. */
export async function checkParent(
  tx: Tx,
  project: Project,
  parent_task_id: number,
  child?: Task,
): Promise<void> {
  const parent = await taskById(tx, parent_task_id)
  const isNew = child?.parent_task_id !== parent_task_id
  const isDeletedParent = isNew && parent?.status === 'Deleted'
  if (!parent || parent.project_id !== project.project_id || isDeletedParent)
    throw fault.invalid(
      'parent_task_id',
      'not_found',
      `There is no task ${parent_task_id} on this board`,
      parent_task_id,
      'A subtask must be on the board of its parent',
    )
  let levels = child ? await levelsOf(tx, child) : 1
  for (let ancestor: Task | undefined = parent; ancestor; ancestor = await parentOf(tx, ancestor)) {
    if (ancestor.task_id === child?.task_id)
      throw fault.invalid(
        'parent_task_id',
        'conflict',
        parent.task_id === child.task_id
          ? `${child.ticket_number} cannot be its own parent`
          : `${parent.ticket_number} is already below ${child.ticket_number}`,
        parent_task_id,
      )
    levels++
  }
  if (levels > MAX_LEVELS)
    throw fault.invalid(
      'parent_task_id',
      'out_of_range',
      `Subtasks can be nested at most ${MAX_LEVELS} levels deep`,
      parent_task_id,
    )
}

const parentOf = async (tx: Tx, { parent_task_id }: Task) =>
  parent_task_id === null ? undefined : taskById(tx, parent_task_id)

/** The direct subtasks of these tasks, whatever their status. */
export const childrenOf = (tx: Tx, team_id: number, ids: number[]): Promise<Task[]> =>
  tx
    .select()
    .from(tasks)
    .where(and(eq(tasks.team_id, team_id), inArray(tasks.parent_task_id, ids)))
    .orderBy(tasks.task_id)

/** The depth of the tree below a task, itself included. */
async function levelsOf(tx: Tx, { team_id, task_id }: Task): Promise<number> {
  let levels = 0
  for (let ids = [task_id]; ids.length; levels++)
    ids = (await childrenOf(tx, team_id, ids)).map((child) => child.task_id)
  return levels
}
