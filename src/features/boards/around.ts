import { aliasedTable, and, count, eq, gt, isNotNull, isNull, type SQL } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { type ActorRow, actorsOf } from '../people/index.ts'
import { isBlocked, leases, taskAssignees, taskLabels, tasks } from '../tasks/index.ts'

const { task_id } = tasks
const child = aliasedTable(tasks, 'child')

const of = (table: typeof taskLabels | typeof taskAssignees) =>
  and(eq(table.team_id, tasks.team_id), eq(table.task_id, task_id))
const isChild = and(
  eq(child.team_id, tasks.team_id),
  eq(child.parent_task_id, task_id),
  eq(child.status, 'Normal'),
)
const isLive = (now: Date) =>
  and(isNotNull(tasks.leased_by), isNull(leases.ended_at), gt(leases.expires_at, now))

/** What cards show that stands in other tables: as many queries, however many tasks `here` means. */
async function rowsAround({ tx, now }: Context, here: SQL) {
  return {
    labels: await tx
      .select({ task_id, one: taskLabels.label_id })
      .from(tasks)
      .innerJoin(taskLabels, of(taskLabels))
      .where(here)
      .orderBy(taskLabels.label_id),
    assignees: await tx
      .select({ task_id, one: taskAssignees.actor_id })
      .from(tasks)
      .innerJoin(taskAssignees, of(taskAssignees))
      .where(here)
      .orderBy(taskAssignees.actor_id),
    families: await tx
      .select({ task_id, all: count(), done: count(child.completed_at) })
      .from(tasks)
      .innerJoin(child, isChild)
      .where(here)
      .groupBy(task_id),
    waiting: await tx
      .select({ task_id })
      .from(tasks)
      .where(and(here, isBlocked(tx))),
    taken: await tx
      .select({ task_id, one: leases.holder_id, expires_at: leases.expires_at })
      .from(tasks)
      .innerJoin(leases, eq(leases.task_id, task_id))
      .where(and(here, isLive(now))),
  }
}

/** Answers what to show with each of the tasks, and adds to `actors` whom that names. */
export async function surroundings(ctx: Context, here: SQL, actors: Map<number, ActorRow>) {
  const { labels, assignees, families, waiting, taken } = await rowsAround(ctx, here)
  const ids = [...assignees, ...taken].map(({ one }) => one)
  const named = await actorsOf(ctx.tx, [...new Set(ids)])
  for (const actor of named.values()) actors.set(actor.actor_id, actor)
  const byTask = { labels: grouped(labels), assignees: grouped(assignees) }
  const blocked = new Set(waiting.map((row) => row.task_id))
  const family = new Map(families.map((row) => [row.task_id, [row.done, row.all]]))
  const held = new Map(taken.map((row) => [row.task_id, row]))
  const keyFor = ({ one }: { one: number }) => keyOf(actors.get(one)!)
  return (id: number) => {
    const lease = held.get(id)
    return {
      labels: byTask.labels.get(id)?.map(({ one }) => one),
      assignees: byTask.assignees.get(id)?.map(keyFor),
      subtasks: family.get(id),
      blocked: blocked.has(id),
      lease: lease && { holder: keyFor(lease), expires_at: lease.expires_at.toISOString() },
    }
  }
}

const grouped = <T extends { task_id: number }>(rows: readonly T[]) =>
  Map.groupBy(rows, (row) => row.task_id)

/** People by their number, agents by their UUID, as everywhere on the wire. */
const keyOf = ({ actor_id, agent_id }: ActorRow) => agent_id ?? actor_id
