import { and, eq, inArray, type SQL } from 'drizzle-orm'
import type { Change, Context, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { forShare, forUpdate } from '../../../../store/columns.ts'
import { projects } from '../../../boards/projects/model/index.ts'
import { boardActors } from '../../../identity/members/model/index.ts'
import { members } from '../../../identity/teams/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import { type Entry, emitTimeChange, endedFields, isOpen, updateEntry } from './store.ts'
import { timeEntries } from './tables.ts'

/** Changes after which somebody may no longer see a board. */
const ACCESS_CHANGES = [
  'project.member_removed',
  'project.access_changed',
  'member.removed',
  'member.updated',
  'agent.updated',
  'agent.deactivated',
  'agent.revoked',
  'agent.archived',
  'agent.deleted',
]
/** Fields of a task whose change may hide it from people. */
const ACCESS_FIELDS = ['status', 'project_id']

/**
 * Stops timers on tasks that their owners can no longer see and therefore cannot stop themselves.
 * This runs in the transaction that hides the task. The counted time is kept.
 */
export async function stopHiddenTimers(ctx: Context, changes: readonly Change[]): Promise<void> {
  const teams = new Set<number>()
  const ids = new Set<number>()
  for (const { type, place, data } of changes) {
    if (ACCESS_CHANGES.includes(type)) teams.add(place.team_id!)
    if (type !== 'task.updated') continue
    const changed = data.changed as readonly string[]
    if (changed.some((field) => ACCESS_FIELDS.includes(field))) ids.add(place.task_id!)
  }
  for (const team_id of teams) await stopHidden(ctx, eq(timeEntries.team_id, team_id))
  if (ids.size) await stopHidden(ctx, inArray(timeEntries.task_id, [...ids]))
}

async function stopHidden(ctx: Context, scope: SQL): Promise<void> {
  const openTimers = and(scope, isOpen)
  const { tx } = ctx
  const ids = tx.select({ task_id: timeEntries.task_id }).from(timeEntries).where(openTimers)
  // Changes of a timer lock its task.
  const { task_id } = tasks
  await forUpdate(tx.select({ task_id }).from(tasks).where(inArray(task_id, ids)).orderBy(task_id))
  const timers = await tx.select().from(timeEntries).where(openTimers).orderBy(timeEntries.entry_id)
  if (!timers.length) return
  const locatedTasks = await locateTasks(ctx.tx, timers)
  const viewers = await viewersByBoard(ctx, locatedTasks)
  for (const timer of timers) {
    const { task } = locatedTasks.get(timer.task_id)!
    const canSee = viewers.get(task.project_id)!.has(timer.actor_id)
    if (canSee && task.status !== 'Deleted') continue
    await emitTimeChange(
      ctx,
      'stopped',
      task,
      await updateEntry(ctx, timer, endedFields(ctx, timer)),
    )
  }
}

type LocatedTasks = Awaited<ReturnType<typeof locateTasks>>

async function locateTasks(tx: Tx, timers: readonly Entry[]) {
  const ids = timers.map(({ task_id }) => task_id)
  const rows = await tx
    .select({ task: tasks, project: projects })
    .from(tasks)
    .innerJoin(projects, eq(projects.project_id, tasks.project_id))
    .where(inArray(tasks.task_id, ids))
  return new Map(rows.map((row) => [row.task.task_id, row]))
}

/** Returns who can see each of the boards. */
async function viewersByBoard(
  ctx: Context,
  locatedTasks: LocatedTasks,
): Promise<Map<number, Set<number>>> {
  const viewers = new Map<number, Set<number>>()
  for (const { project } of locatedTasks.values()) {
    if (viewers.has(project.project_id)) continue
    const actors = await boardActors(ctx, project)
    viewers.set(project.project_id, new Set(actors.map(({ actor_id }) => actor_id)))
  }
  return viewers
}

/** Refuses to start a timer if a concurrent request changes the role of the caller in the team. */
export async function requireCurrentRole({ tx, caller }: Context, team_id: number): Promise<void> {
  const membership = and(eq(members.team_id, team_id), eq(members.actor_id, caller.person_id))
  const [member] = await forShare(tx.select({ role: members.role }).from(members).where(membership))
  const isSame = caller.kind === 'agent' || member?.role === caller.teams.get(team_id)
  if (member && isSame) return
  const message = 'Your access to this team changed during the request'
  throw fault.forbidden(message, 'Check what you can still see, and try again')
}
