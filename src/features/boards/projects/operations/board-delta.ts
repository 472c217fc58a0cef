import { and, eq, gt, gte, inArray, isNull, lt, or } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { changesSince, type LoggedChange, lastChangeTime } from '../../../../store/log.ts'
import { leases } from '../../../agents/leases/model/index.ts'
import { actors } from '../../../identity/people/model/index.ts'
import { taskAssignees } from '../../../tasks/assignees/model/index.ts'
import { relations } from '../../../tasks/relations/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import type { Project } from '../model/index.ts'

/** After more changes than this, or with more cards to update, the whole board is sent. */
const MAX_CHANGES = 1000

interface BoardDelta {
  /**
   * Tasks of this board with logged changes. Those that are no longer on the board have left it.
   */
  changedIds: number[]
  /** All tasks whose cards may have changed, including those that changes of other tasks affect. */
  ids: number[]
}

/** The tasks to read again since a change; undefined if the whole board must be read. */
export async function changedSince(
  ctx: Context,
  project: Project,
  since: number,
  seq: number,
): Promise<BoardDelta | undefined> {
  // A position beyond the end belongs to another database, from before a restore.
  if (since > seq) return undefined
  const changes = await changesSince(ctx.tx, since, MAX_CHANGES)
  const teamChanges = changes.filter(({ team_id }) => team_id === project.team_id)
  if (changes.length === MAX_CHANGES || teamChanges.some(changesManyTasks)) return undefined
  const changedIds = tasksIn(
    teamChanges.filter(({ project_id }) => project_id === project.project_id),
  )
  const ids = new Set(changedIds)
  const indirect = [
    ...(await relatedTasks(ctx, project, teamChanges)),
    ...(await tasksOfRenamed(ctx, project, changes)),
    ...(await timedChanges(ctx, project, (await lastChangeTime(ctx.tx, since)) ?? new Date(0))),
  ]
  for (const { task_id } of indirect) if (task_id !== null) ids.add(task_id)
  return ids.size > MAX_CHANGES ? undefined : { changedIds, ids: [...ids] }
}

const tasksIn = (changes: readonly LoggedChange[]) => [
  ...new Set(changes.flatMap(({ task_id }) => task_id ?? [])),
]

/** These changes affect many tasks without logging a change for each. */
function changesManyTasks({ type, data }: LoggedChange): boolean {
  if (type === 'section.updated') return (data.changed as string[]).includes('done')
  return type === 'label.deleted' && data.tasks !== 0
}

type TaskRefs = { task_id: number | null }[]

/** The tasks of this board that a changed task blocks, and its current and former parents. */
async function relatedTasks(
  { tx }: Context,
  project: Project,
  changes: readonly LoggedChange[],
): Promise<TaskRefs> {
  const ids = tasksIn(changes)
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
  const formerParents = changes.map(({ data }) => ({ task_id: formerParent(data) }))
  return [...waiting, ...parents, ...formerParents]
}

const formerParent = ({ before }: LoggedChange['data']) =>
  (before as { parent_task_id?: number } | undefined)?.parent_task_id ?? null

/** The tasks of actors whose name may have changed. */
async function tasksOfRenamed(
  { tx }: Context,
  { team_id, project_id }: Project,
  changes: readonly LoggedChange[],
): Promise<TaskRefs> {
  const people = changes.flatMap((change) =>
    change.type === 'profile.updated' ? change.actor_id : [],
  )
  const agents = changes.flatMap(({ type, team_id: team, data }) =>
    type === 'agent.updated' && team === team_id ? (data.agent_id as string) : [],
  )
  if (!people.length && !agents.length) return []
  const renamed = tx
    .select({ actor_id: actors.actor_id })
    .from(actors)
    .where(or(inArray(actors.actor_id, people), inArray(actors.agent_id, agents)))
  const assignedTasks = await tx
    .select({ task_id: taskAssignees.task_id })
    .from(taskAssignees)
    .where(
      and(
        eq(taskAssignees.team_id, team_id),
        inArray(taskAssignees.actor_id, renamed),
        eq(taskAssignees.project_id, project_id),
      ),
    )
  const leasedTasks = await tx
    .select({ task_id: leases.task_id })
    .from(leases)
    .where(
      and(eq(leases.team_id, team_id), inArray(leases.holder_id, renamed), isNull(leases.ended_at)),
    )
  return [...assignedTasks, ...leasedTasks]
}

/** Changes without a log entry: a due date passes, a lease expires or is extended. */
async function timedChanges(
  { tx, now }: Context,
  { team_id, project_id }: Project,
  since: Date,
): Promise<TaskRefs> {
  const overdueTasks = await tx
    .select({ task_id: tasks.task_id })
    .from(tasks)
    .where(
      and(
        eq(tasks.team_id, team_id),
        eq(tasks.project_id, project_id),
        eq(tasks.status, 'Normal'),
        isNull(tasks.completed_at),
        gte(tasks.due_at, since),
        lt(tasks.due_at, now),
      ),
    )
  const leasedTasks = await tx
    .select({ task_id: leases.task_id })
    .from(leases)
    .innerJoin(tasks, eq(tasks.task_id, leases.task_id))
    .where(
      and(
        eq(leases.team_id, team_id),
        isNull(leases.ended_at),
        gt(leases.expires_at, since),
        eq(tasks.project_id, project_id),
      ),
    )
  return [...overdueTasks, ...leasedTasks]
}
