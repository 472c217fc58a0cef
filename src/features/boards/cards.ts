import { aliasedTable, and, count, eq, gt, inArray, isNotNull, isNull, type SQL } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { type ActorRow, actorsOf } from '../people/index.ts'
import type { Project } from '../projects/index.ts'
import { isBlocked, isOverdue, leases, taskAssignees, taskLabels, tasks } from '../tasks/index.ts'
import type { Card } from './schema.ts'

const { task_id } = tasks
const child = aliasedTable(tasks, 'child')

const shown = {
  task_id,
  ticket_number: tasks.ticket_number,
  title: tasks.title,
  section_id: tasks.section_id,
  rank: tasks.rank,
  parent_task_id: tasks.parent_task_id,
  priority: tasks.priority,
  estimate: tasks.estimate,
  due_date: tasks.due_date,
  due_at: tasks.due_at,
  start_date: tasks.start_date,
  recurrence: tasks.recurrence,
  completed_at: tasks.completed_at,
  comment_count: tasks.comment_count,
  attachment_count: tasks.attachment_count,
  page_count: tasks.page_count,
  pr_badge: tasks.pr_badge,
}

/** What a board shows of its tasks, or of some of them: as many queries, however many cards. */
export async function cardsOf(ctx: Context, project: Project, only?: readonly number[]) {
  const { tx, now } = ctx
  const here = and(
    eq(tasks.team_id, project.team_id),
    eq(tasks.project_id, project.project_id),
    eq(tasks.status, 'Normal'),
    only && inArray(task_id, [...only]),
  )!
  const rows = await tx.select(shown).from(tasks).where(here)
  const { actors, around } = await nearby(ctx, here)
  const cards = rows
    .sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : a.task_id - b.task_id))
    .map(({ due_at, completed_at, start_date, ...row }) =>
      trimmed({
        ...row,
        start_date: start_date?.toISOString(),
        overdue: isOverdue({ due_at, completed_at, status: 'Normal' }, now),
        ...around(row.task_id),
      }),
    )
  return { cards, actors }
}

/** What stands in other tables, asked for by the board and not by lists of numbers. */
async function nearby({ tx, now }: Context, here: SQL) {
  const labelled = await tx
    .select({ task_id, one: taskLabels.label_id })
    .from(tasks)
    .innerJoin(taskLabels, both(taskLabels))
    .where(here)
  const assigned = await tx
    .select({ task_id, one: taskAssignees.actor_id })
    .from(tasks)
    .innerJoin(taskAssignees, both(taskAssignees))
    .where(here)
  const children = await tx
    .select({ task_id, all: count(), done: count(child.completed_at) })
    .from(tasks)
    .innerJoin(
      child,
      and(eq(child.team_id, tasks.team_id), eq(child.parent_task_id, task_id), normal(child)),
    )
    .where(here)
    .groupBy(task_id)
  const blocked = await tx
    .select({ task_id })
    .from(tasks)
    .where(and(here, isBlocked(tx)))
  const taken = await tx
    .select({ task_id, holder_id: leases.holder_id, expires_at: leases.expires_at })
    .from(tasks)
    .innerJoin(leases, eq(leases.task_id, task_id))
    .where(
      and(here, isNotNull(tasks.leased_by), isNull(leases.ended_at), gt(leases.expires_at, now)),
    )
  const ids = [...assigned.map(({ one }) => one), ...taken.map(({ holder_id }) => holder_id)]
  const actors = await actorsOf(tx, [...new Set(ids)])
  const by = <T extends { task_id: number }>(rows: readonly T[]) =>
    Map.groupBy(rows, (row) => row.task_id)
  const own = { labels: by(labelled), assignees: by(assigned), children: by(children) }
  const waits = new Set(blocked.map((row) => row.task_id))
  const holders = new Map(taken.map((row) => [row.task_id, row]))
  const around = (id: number) => {
    const lease = holders.get(id)
    const [family] = own.children.get(id) ?? []
    return {
      labels: own.labels.get(id)?.map(({ one }) => one),
      assignees: own.assignees.get(id)?.map(({ one }) => keyOf(actors.get(one)!)),
      subtasks: family && [family.done, family.all],
      blocked: waits.has(id),
      lease: lease && {
        holder: keyOf(actors.get(lease.holder_id)!),
        expires_at: lease.expires_at.toISOString(),
      },
    }
  }
  return { actors: [...actors.values()], around }
}

const both = (table: typeof taskLabels | typeof taskAssignees) =>
  and(eq(table.team_id, tasks.team_id), eq(table.task_id, task_id))
const normal = (table: typeof child) => eq(table.status, 'Normal')

/** People by their number, agents by their UUID, as everywhere on the wire. */
export const keyOf = ({ actor_id, agent_id }: ActorRow) => agent_id ?? actor_id

/** Most cards have little of what a card can have; what is not there is not sent. */
function trimmed(card: Record<string, unknown>): Card {
  return Object.fromEntries(
    Object.entries(card).filter(
      ([, value]) => value !== undefined && value !== null && value !== 0 && value !== false,
    ),
  ) as never
}
