import { and, eq, inArray, isNotNull, isNull, notInArray, type SQL } from 'drizzle-orm'
import type { Reader } from '../../../../kernel/operation.ts'
import { tasksCommentedByCaller } from '../../../conversation/comments/model/index.ts'
import { tasksAssignedToCaller } from '../../../tasks/assignees/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import { tasksWithChoice } from '../../../tasks/watchers/model/index.ts'
import type { Involvement } from './rules.ts'
import { myViews } from './tables.ts'

/** The condition for the tasks that the caller created: open ones, or completed ones. */
const isCreatedByCaller = ({ caller }: Reader, open: boolean) =>
  and(
    inArray(tasks.team_id, [...caller.teams.keys()]),
    eq(tasks.created_by, caller.actor_id),
    open ? isNull(tasks.completed_at) : isNotNull(tasks.completed_at),
  )

const tasksCreatedByCaller = (reader: Reader, open: boolean) =>
  reader.tx.select({ task_id: tasks.task_id }).from(tasks).where(isCreatedByCaller(reader, open))

/**
 * The condition for the open or the completed tasks of an involvement. Its subqueries use indexes
 * of the caller, so their cost does not depend on the boards. Who takes part in a task watches it,
 * unless they have stopped.
 */
export function isInvolved(reader: Reader, involvement: Involvement, open: boolean): SQL {
  const { task_id, completed_at } = tasks
  if (involvement === 'created') return isCreatedByCaller(reader, open)!
  const assigned = tasksAssignedToCaller(reader, open)
  const created = tasksCreatedByCaller(reader, open)
  const watched = () =>
    tasksWithChoice(reader, true)
      .union(assigned)
      .union(created)
      .union(tasksCommentedByCaller(reader))
  return and(
    inArray(task_id, involvement === 'assigned' ? assigned : watched()),
    involvement === 'watched' ? notInArray(task_id, tasksWithChoice(reader, false)) : undefined,
    open ? isNull(completed_at) : isNotNull(completed_at),
  )!
}

/** Sorting that many tasks would delay other requests. */
const MANY_TASKS = 2000

interface Request {
  view_id?: string
  involvement?: Involvement
}

/** Whether so many open tasks are the caller's that a reader thread should list them. */
export async function hasManyTasks(request: Request, reader: Reader): Promise<boolean> {
  const involvement = request.involvement ?? (await savedInvolvement(request, reader)) ?? 'assigned'
  const lists = {
    assigned: [tasksAssignedToCaller(reader, true)],
    created: [tasksCreatedByCaller(reader, true)],
    watched: [
      tasksAssignedToCaller(reader, true),
      tasksCreatedByCaller(reader, true),
      tasksCommentedByCaller(reader),
      tasksWithChoice(reader, true),
    ],
  }[involvement]
  for (const list of lists) if ((await list.limit(1).offset(MANY_TASKS)).length) return true
  return false
}

async function savedInvolvement({ view_id }: Request, { tx, caller }: Reader) {
  if (view_id === undefined) return undefined
  const [view] = await tx
    .select({ involvement: myViews.involvement })
    .from(myViews)
    .where(
      and(eq(myViews.view_id, view_id.trim().toLowerCase()), eq(myViews.actor_id, caller.actor_id)),
    )
  return view?.involvement
}
