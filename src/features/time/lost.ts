import { and, eq, inArray, type SQL } from 'drizzle-orm'
import type { Change, Context, Tx } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { held, steady } from '../../store/columns.ts'
import { boardActors } from '../members/index.ts'
import { projects } from '../projects/index.ts'
import { tasks } from '../tasks/index.ts'
import { members } from '../teams/index.ts'
import { change, type Entry, ended, isOpen, told } from './store.ts'
import { timeEntries } from './tables.ts'

/** What can take boards from somebody. */
const LOSING = [
  ...['project.member_removed', 'project.access_changed'],
  ...['member.removed', 'member.updated', 'agent.updated'],
  ...['agent.deactivated', 'agent.revoked', 'agent.archived', 'agent.deleted'],
]
/** What can take a task from everybody, or from some. */
const LEAVING = ['status', 'project_id']

/**
 * Nobody can stop a timer on a task that they no longer see. So it is stopped here, in the
 * transaction that takes the task from them, and what it counted is kept.
 */
export async function stopLost(ctx: Context, changes: readonly Change[]): Promise<void> {
  const teams = new Set<number>()
  const ids = new Set<number>()
  for (const { type, place, data } of changes) {
    if (LOSING.includes(type)) teams.add(place.team_id!)
    if (type !== 'task.updated') continue
    const changed = data.changed as readonly string[]
    if (changed.some((field) => LEAVING.includes(field))) ids.add(place.task_id!)
  }
  for (const team_id of teams) await stop(ctx, eq(timeEntries.team_id, team_id))
  if (ids.size) await stop(ctx, inArray(timeEntries.task_id, [...ids]))
}

async function stop(ctx: Context, among: SQL): Promise<void> {
  const those = and(among, isOpen)
  const { tx } = ctx
  const ids = tx.select({ task_id: timeEntries.task_id }).from(timeEntries).where(those)
  // Whoever changes a timer holds its task.
  const { task_id } = tasks
  await held(tx.select({ task_id }).from(tasks).where(inArray(task_id, ids)).orderBy(task_id))
  const open = await tx.select().from(timeEntries).where(those).orderBy(timeEntries.entry_id)
  if (!open.length) return
  const places = await placesOf(ctx.tx, open)
  const seeing = await seeingOf(ctx, places)
  for (const timer of open) {
    const { task } = places.get(timer.task_id)!
    const sees = seeing.get(task.project_id)!.has(timer.actor_id)
    if (sees && task.status !== 'Deleted') continue
    await told(ctx, 'stopped', task, await change(ctx, timer, ended(ctx, timer)))
  }
}

type Places = Awaited<ReturnType<typeof placesOf>>

async function placesOf(tx: Tx, open: readonly Entry[]) {
  const ids = open.map(({ task_id }) => task_id)
  const found = await tx
    .select({ task: tasks, project: projects })
    .from(tasks)
    .innerJoin(projects, eq(projects.project_id, tasks.project_id))
    .where(inArray(tasks.task_id, ids))
  return new Map(found.map((one) => [one.task.task_id, one]))
}

/** Who sees each of the boards. */
async function seeingOf(ctx: Context, places: Places): Promise<Map<number, Set<number>>> {
  const seeing = new Map<number, Set<number>>()
  for (const { project } of places.values()) {
    if (seeing.has(project.project_id)) continue
    const actors = await boardActors(ctx, project)
    seeing.set(project.project_id, new Set(actors.map(({ actor_id }) => actor_id)))
  }
  return seeing
}

/** Whoever is being taken from the team at this moment starts nothing there that would go on. */
export async function refuseLeaving({ tx, caller }: Context, team_id: number): Promise<void> {
  const own = and(eq(members.team_id, team_id), eq(members.actor_id, caller.person_id))
  const [still] = await steady(tx.select({ role: members.role }).from(members).where(own))
  const isSame = caller.kind === 'agent' || still?.role === caller.teams.get(team_id)
  if (still && isSame) return
  const message = 'Your place in this team was changed at this moment'
  throw fault.forbidden(message, 'Look at what you can see now, and try again')
}
