import { and, count, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Context, Tx } from '../../kernel/caller.ts'
import { amongListed, listed } from '../../store/fulltext.ts'
import { param, prepared } from '../../store/prepared.ts'
import { type ActorRow, actorsOf } from '../people/index.ts'
import { isBlocked, leases, taskAssignees, taskLabels, tasks } from '../tasks/index.ts'

/**
 * What cards show from other tables. Each statement starts from the ids of the tasks, and none has
 * an ORDER BY: rather than sort the few rows that are wanted, SQLite would scan an index of the
 * whole team that has the order asked for.
 */
const statements = prepared((tx) => ({
  labels: tx
    .select({ task_id: taskLabels.task_id, one: taskLabels.label_id })
    .from(taskLabels)
    .where(ofTasks(taskLabels))
    .prepare('board_labels'),
  assignees: tx
    .select({ task_id: taskAssignees.task_id, one: taskAssignees.actor_id })
    .from(taskAssignees)
    .where(ofTasks(taskAssignees))
    .prepare('board_assignees'),
  families: tx
    .select({ task_id: tasks.parent_task_id, all: count(), done: count(tasks.completed_at) })
    .from(tasks)
    .where(
      and(
        eq(tasks.team_id, param('team_id')),
        amongListed(tasks.parent_task_id, param('ids')),
        eq(tasks.status, 'Normal'),
      ),
    )
    .groupBy(tasks.parent_task_id)
    .prepare('board_families'),
  blocked: tx
    .select({ task_id: tasks.task_id })
    .from(tasks)
    .where(and(amongListed(tasks.task_id, param('ids')), isBlocked(tx)))
    .prepare('board_blocked'),
  leased: tx
    .select({ task_id: leases.task_id, one: leases.holder_id, expires_at: leases.expires_at })
    .from(leases)
    .where(
      and(
        amongListed(leases.task_id, param('ids')),
        isNull(leases.ended_at),
        gt(leases.expires_at, sql.param(param('now'), leases.expires_at)),
      ),
    )
    .prepare('board_leased'),
}))

const ofTasks = (table: typeof taskLabels | typeof taskAssignees) =>
  and(eq(table.team_id, param('team_id')), amongListed(table.task_id, param('ids')))

async function rowsAround(tx: Tx, team_id: number, task_ids: readonly number[], now: Date) {
  const ask = statements(tx)
  const ids = listed(task_ids)
  return {
    labels: await ask.labels.execute({ team_id, ids }),
    assignees: await ask.assignees.execute({ team_id, ids }),
    families: await ask.families.execute({ team_id, ids }),
    blocked: await ask.blocked.execute({ ids }),
    leased: await ask.leased.execute({ ids, now }),
  }
}

/** Returns what to show with each of the tasks, and adds the actors this names to `actors`. */
export async function surroundings(
  { tx, now }: Context,
  team_id: number,
  task_ids: readonly number[],
  actors: Map<number, ActorRow>,
) {
  const rows = await rowsAround(tx, team_id, task_ids, now)
  const ids = [...rows.assignees, ...rows.leased].map(({ one }) => one)
  const named = await actorsOf(tx, [...new Set(ids)])
  for (const actor of named.values()) actors.set(actor.actor_id, actor)
  const labels = grouped(rows.labels)
  const assignees = grouped(rows.assignees)
  const blocked = new Set(rows.blocked.map(({ task_id }) => task_id))
  const families = new Map(rows.families.map((row) => [row.task_id, [row.done, row.all]]))
  const leased = new Map(rows.leased.map((row) => [row.task_id, row]))
  const keyFor = (id: number) => keyOf(actors.get(id)!)
  return (id: number) => {
    const lease = leased.get(id)
    return {
      labels: labels.get(id),
      assignees: assignees.get(id)?.map(keyFor),
      subtasks: families.get(id),
      blocked: blocked.has(id),
      lease: lease && { holder: keyFor(lease.one), expires_at: lease.expires_at.toISOString() },
    }
  }
}

/** The numbers that belong to each task, lowest first. */
function grouped(rows: readonly { task_id: number; one: number }[]): Map<number, number[]> {
  const byTask = Map.groupBy(rows, ({ task_id }) => task_id)
  return new Map(
    [...byTask].map(([id, some]) => [id, some.map(({ one }) => one).sort((a, b) => a - b)]),
  )
}

/** People by their number, agents by their UUID, as everywhere on the wire. */
const keyOf = ({ actor_id, agent_id }: ActorRow) => agent_id ?? actor_id
