import { and, count, eq, gt, inArray, type SQL } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { projects } from '../../../boards/projects/model/index.ts'
import { boardActors } from '../../../identity/members/model/index.ts'
import { type ActorRow, actors } from '../../../identity/people/model/index.ts'
import { assigneesOf } from '../../../tasks/assignees/model/index.ts'
import type { Task } from '../../../tasks/tasks/model/index.ts'
import { agents } from '../../agents/model/index.ts'
import { runEntries, runs } from './tables.ts'

/** Whether an agent is active and can see the board; only then can it be called. */
export async function canSeeBoard(
  tx: Tx,
  board: Pick<Task, 'project_id'>,
  { actor_id }: Pick<ActorRow, 'actor_id'>,
): Promise<boolean> {
  return (await boardActorsOf(tx, board)).some((one) => one.actor_id === actor_id)
}

async function boardActorsOf(
  tx: Tx,
  { project_id }: Pick<Task, 'project_id'>,
): Promise<ActorRow[]> {
  const [project] = await tx.select().from(projects).where(eq(projects.project_id, project_id))
  return project ? boardActors({ tx }, project) : []
}

/**
 * The native agents that are assigned to a task; if none is, the only native agent of its board.
 */
export async function nativesFor(tx: Tx, task: Task): Promise<ActorRow[]> {
  const isNative = and(eq(agents.team_id, task.team_id), eq(agents.kind, 'native'))
  const natives = await tx.select().from(agents).where(isNative)
  const ids = new Set(natives.map(({ actor_id }) => actor_id))
  const isNativeActor = ({ actor_id }: ActorRow) => ids.has(actor_id)
  const assigned = ids.size ? (await assigneesOf(tx, task)).filter(isNativeActor) : []
  if (!ids.size || assigned.length) return assigned
  const onBoard = (await boardActorsOf(tx, task)).filter(isNativeActor)
  return onBoard.length === 1 ? onBoard : []
}

/** How often per hour agents may call a native agent: for one task, and in all. */
const MAX_CALLS = { task: 5, all: 30 }
const HOUR_MS = 60 * 60_000

/** Prevents two agents from answering each other without end, at the operator's cost. */
export async function exceedsCallLimit(
  tx: Tx,
  { team_id, task_id }: Task,
  { actor_id }: Pick<ActorRow, 'actor_id'>,
  now: Date,
): Promise<boolean> {
  const [native] = await tx
    .select({ actor_id: agents.actor_id })
    .from(agents)
    .where(and(eq(agents.actor_id, actor_id), eq(agents.kind, 'native')))
  if (!native) return false
  const since = new Date(now.getTime() - HOUR_MS)
  const own = and(eq(runs.team_id, team_id), eq(runs.actor_id, actor_id))!
  const ofTask = and(own, eq(runs.task_id, task_id))!
  return (
    (await callsSince(tx, ofTask, since)) >= MAX_CALLS.task ||
    (await callsSince(tx, own, since)) >= MAX_CALLS.all
  )
}

/** The number of runs that agents started, or of prompts that they sent, whichever is larger. */
async function callsSince(tx: Tx, condition: SQL, since: Date): Promise<number> {
  const otherAgents = tx
    .select({ actor_id: actors.actor_id })
    .from(actors)
    .where(eq(actors.kind, 'agent'))
  const [started] = await tx
    .select({ many: count() })
    .from(runs)
    .where(and(condition, gt(runs.created_at, since), inArray(runs.created_by, otherAgents)))
  const [prompted] = await tx
    .select({ many: count() })
    .from(runEntries)
    .innerJoin(runs, eq(runs.run_id, runEntries.run_id))
    .where(
      and(
        condition,
        eq(runEntries.team_id, runs.team_id),
        eq(runEntries.kind, 'prompt'),
        gt(runEntries.at, since),
        inArray(runEntries.author_id, otherAgents),
      ),
    )
  return Math.max(Number(started!.many), Number(prompted!.many))
}
