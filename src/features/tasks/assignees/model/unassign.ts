import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { forUpdate } from '../../../../store/columns.ts'
import { placeOf } from '../../../boards/projects/model/index.ts'
import { type ActorRow, asActor } from '../../../identity/people/model/index.ts'
import { tasks } from '../../tasks/model/index.ts'
import { hasAssignee } from './assignees.ts'
import { taskAssignees } from './tables.ts'

/** Databases limit the number of parameters in a statement. */
const BATCH = 500

/**
 * Unassigns an actor from all tasks of a team that are not completed. Completed tasks keep their
 * assignee.
 */
export async function unassignOpenTasks(
  ctx: Context,
  { team_id }: { team_id: number },
  actor: ActorRow,
): Promise<number> {
  const { tx, now } = ctx
  const { actor_id } = actor
  const ofActor = and(eq(taskAssignees.team_id, team_id), eq(taskAssignees.actor_id, actor_id))
  const openTasks = tx
    .select({
      team_id: tasks.team_id,
      project_id: tasks.project_id,
      task_id: tasks.task_id,
      ticket_number: tasks.ticket_number,
    })
    .from(tasks)
    .innerJoin(taskAssignees, eq(taskAssignees.task_id, tasks.task_id))
    .where(and(ofActor, isNull(tasks.completed_at)))
    .orderBy(tasks.task_id)
  const open = await forUpdate(openTasks)
  for (let at = 0; at < open.length; at += BATCH) {
    const ids = open.slice(at, at + BATCH).map(({ task_id }) => task_id)
    await tx.delete(taskAssignees).where(and(ofActor, inArray(taskAssignees.task_id, ids)))
    await tx
      .update(tasks)
      .set({ updated_at: now, assigned: hasAssignee(tx) })
      .where(inArray(tasks.task_id, ids))
  }
  for (const { ticket_number, ...task } of open)
    ctx.emit(
      'task.unassigned',
      { ...placeOf(task), task_id: task.task_id },
      { ticket_number, actor: asActor(actor) },
    )
  return open.length
}
