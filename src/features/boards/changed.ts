import { and, eq, gt, gte, inArray, isNull, lt, or } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { changeAt, changesSince, type Logged } from '../../store/log.ts'
import { actors } from '../people/index.ts'
import type { Project } from '../projects/index.ts'
import { leases, relations, taskAssignees, tasks } from '../tasks/index.ts'

/** Behind by more than this, or with more cards to show anew, a board is better read whole. */
const MOST = 1000

interface Changed {
  /** Tasks of this board that something is told of: where they are not there now, they left. */
  told: number[]
  /** All whose cards may look different, those that others made so included. */
  ids: number[]
}

/** What to look at again; nothing where everything is. */
export async function changedSince(
  ctx: Context,
  project: Project,
  since: number,
  seq: number,
): Promise<Changed | undefined> {
  // A place beyond the end is of another database, from before a restore.
  if (since > seq) return undefined
  const all = await changesSince(ctx.tx, since, MOST)
  const near = all.filter(({ team_id }) => team_id === project.team_id)
  if (all.length === MOST || near.some(turnsMany)) return undefined
  const told = tasksIn(near.filter(({ project_id }) => project_id === project.project_id))
  const ids = new Set(told)
  const others = [
    ...(await besides(ctx, project, near)),
    ...(await withRenamed(ctx, project, all)),
    ...(await byTheClock(ctx, project, (await changeAt(ctx.tx, since)) ?? new Date(0))),
  ]
  for (const { task_id } of others) if (task_id !== null) ids.add(task_id)
  return ids.size > MOST ? undefined : { told, ids: [...ids] }
}

const tasksIn = (changes: readonly Logged[]) => [
  ...new Set(changes.flatMap(({ task_id }) => task_id ?? [])),
]

/** Nobody is told one by one of the tasks that these make done or open, or take a label off. */
function turnsMany({ type, data }: Logged): boolean {
  if (type === 'section.updated') return (data.changed as string[]).includes('done')
  return type === 'label.deleted' && data.tasks !== 0
}

type Found = { task_id: number | null }[]

/** Who waits for a task that changed, on whatever board that is; and the parents, old and new. */
async function besides({ tx }: Context, project: Project, near: readonly Logged[]): Promise<Found> {
  const ids = tasksIn(near)
  const { team_id, project_id } = project
  if (!ids.length) return []
  const waiting = await tx
    .select({ task_id: tasks.task_id })
    .from(relations)
    .innerJoin(tasks, eq(tasks.task_id, relations.second_id))
    .where(
      and(
        eq(relations.team_id, team_id),
        inArray(relations.first_id, ids),
        eq(relations.kind, 'blocks'),
        eq(tasks.project_id, project_id),
      ),
    )
  const parents = await tx
    .selectDistinct({ task_id: tasks.parent_task_id })
    .from(tasks)
    .where(and(inArray(tasks.task_id, ids), eq(tasks.project_id, project_id)))
  const left = near.map(({ data }) => ({ task_id: formerParent(data) }))
  return [...waiting, ...parents, ...left]
}

const formerParent = ({ before }: Logged['data']) =>
  (before as { parent_task_id?: number } | undefined)?.parent_task_id ?? null

/** Tasks of people and agents whose name may be another one. */
async function withRenamed(
  { tx }: Context,
  { team_id, project_id }: Project,
  all: readonly Logged[],
): Promise<Found> {
  const people = all.flatMap((one) => (one.type === 'profile.updated' ? one.actor_id : []))
  const agents = all.flatMap(({ type, team_id: team, data }) =>
    type === 'agent.updated' && team === team_id ? (data.agent_id as string) : [],
  )
  if (!people.length && !agents.length) return []
  const renamed = tx
    .select({ actor_id: actors.actor_id })
    .from(actors)
    .where(or(inArray(actors.actor_id, people), inArray(actors.agent_id, agents)))
  const theirs = await tx
    .select({ task_id: tasks.task_id })
    .from(taskAssignees)
    .innerJoin(tasks, eq(tasks.task_id, taskAssignees.task_id))
    .where(
      and(
        eq(taskAssignees.team_id, team_id),
        inArray(taskAssignees.actor_id, renamed),
        eq(tasks.project_id, project_id),
      ),
    )
  const held = await tx
    .select({ task_id: leases.task_id })
    .from(leases)
    .where(
      and(eq(leases.team_id, team_id), inArray(leases.holder_id, renamed), isNull(leases.ended_at)),
    )
  return [...theirs, ...held]
}

/** What nobody is told of: a due date passes, a lease runs out, or its holder keeps it longer. */
async function byTheClock(
  { tx, now }: Context,
  { team_id, project_id }: Project,
  then: Date,
): Promise<Found> {
  const late = await tx
    .select({ task_id: tasks.task_id })
    .from(tasks)
    .where(
      and(
        eq(tasks.team_id, team_id),
        eq(tasks.project_id, project_id),
        eq(tasks.status, 'Normal'),
        isNull(tasks.completed_at),
        gte(tasks.due_at, then),
        lt(tasks.due_at, now),
      ),
    )
  const held = await tx
    .select({ task_id: leases.task_id })
    .from(leases)
    .innerJoin(tasks, eq(tasks.task_id, leases.task_id))
    .where(
      and(
        eq(leases.team_id, team_id),
        isNull(leases.ended_at),
        gt(leases.expires_at, then),
        eq(tasks.project_id, project_id),
      ),
    )
  return [...late, ...held]
}
