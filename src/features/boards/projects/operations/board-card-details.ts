import { and, count, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { idList, isInIdList } from '../../../../store/id-list.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { leases } from '../../../agents/leases/model/index.ts'
import { type ActorRow, actorsOf } from '../../../identity/people/model/index.ts'
import { taskAssignees } from '../../../tasks/assignees/model/index.ts'
import { isBlocked } from '../../../tasks/relations/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import { taskLabels } from '../../labels/model/index.ts'

/**
 * What cards show from other tables. Each statement starts from the task ids, and none has an ORDER
 * BY: SQLite would scan an index of the whole team in that order instead of sorting a few rows.
 */
const statements = prepared((tx) => ({
  labels: tx
    .select({ task_id: taskLabels.task_id, linked_id: taskLabels.label_id })
    .from(taskLabels)
    .where(ofTasks(taskLabels))
    .prepare('board_labels'),
  assignees: tx
    .select({ task_id: taskAssignees.task_id, linked_id: taskAssignees.actor_id })
    .from(taskAssignees)
    .where(ofTasks(taskAssignees))
    .prepare('board_assignees'),
  subtasks: tx
    .select({ task_id: tasks.parent_task_id, total: count(), done: count(tasks.completed_at) })
    .from(tasks)
    .where(
      and(
        eq(tasks.team_id, param('team_id')),
        isInIdList(tasks.parent_task_id, param('ids')),
        eq(tasks.status, 'Normal'),
      ),
    )
    .groupBy(tasks.parent_task_id)
    .prepare('board_families'),
  blocked: tx
    .select({ task_id: tasks.task_id })
    .from(tasks)
    .where(and(isInIdList(tasks.task_id, param('ids')), isBlocked(tx)))
    .prepare('board_blocked'),
  leased: tx
    .select({ task_id: leases.task_id, linked_id: leases.holder_id, expires_at: leases.expires_at })
    .from(leases)
    .where(
      and(
        isInIdList(leases.task_id, param('ids')),
        isNull(leases.ended_at),
        gt(leases.expires_at, sql.param(param('now'), leases.expires_at)),
      ),
    )
    .prepare('board_leased'),
}))

const ofTasks = (table: typeof taskLabels | typeof taskAssignees) =>
  and(eq(table.team_id, param('team_id')), isInIdList(table.task_id, param('ids')))

async function loadRows(tx: Tx, team_id: number, task_ids: readonly number[], now: Date) {
  const queries = statements(tx)
  const ids = idList(task_ids)
  return {
    labels: await queries.labels.execute({ team_id, ids }),
    assignees: await queries.assignees.execute({ team_id, ids }),
    subtasks: await queries.subtasks.execute({ team_id, ids }),
    blocked: await queries.blocked.execute({ ids }),
    leased: await queries.leased.execute({ ids, now }),
  }
}

/** Returns a lookup of the details of each task, and adds the actors that they name to `actors`. */
export async function cardDetails(
  { tx, now }: Context,
  team_id: number,
  task_ids: readonly number[],
  actors: Map<number, ActorRow>,
) {
  const rows = await loadRows(tx, team_id, task_ids, now)
  const ids = [...rows.assignees, ...rows.leased].map(({ linked_id }) => linked_id)
  const actorsById = await actorsOf(tx, [...new Set(ids)])
  for (const actor of actorsById.values()) actors.set(actor.actor_id, actor)
  const labels = groupByTask(rows.labels)
  const assignees = groupByTask(rows.assignees)
  const blocked = new Set(rows.blocked.map(({ task_id }) => task_id))
  const subtaskCounts = new Map(rows.subtasks.map((row) => [row.task_id, [row.done, row.total]]))
  const leased = new Map(rows.leased.map((row) => [row.task_id, row]))
  const keyFor = (id: number) => keyOf(actors.get(id)!)
  return (id: number) => {
    const lease = leased.get(id)
    return {
      labels: labels.get(id),
      assignees: assignees.get(id)?.map(keyFor),
      subtasks: subtaskCounts.get(id),
      blocked: blocked.has(id),
      lease: lease && {
        holder: keyFor(lease.linked_id),
        expires_at: lease.expires_at.toISOString(),
      },
    }
  }
}

/** Groups the ids by task, lowest first. */
function groupByTask(
  rows: readonly { task_id: number; linked_id: number }[],
): Map<number, number[]> {
  const byTask = Map.groupBy(rows, ({ task_id }) => task_id)
  return new Map(
    [...byTask].map(([id, rowsOfTask]) => [
      id,
      rowsOfTask.map(({ linked_id }) => linked_id).sort((a, b) => a - b),
    ]),
  )
}

/** The wire id of an actor: user_id for people, UUID for agents. */
const keyOf = ({ actor_id, agent_id }: ActorRow) => agent_id ?? actor_id
