import { and, count, eq, gt, inArray, type SQL } from 'drizzle-orm'
import type { Tx } from '../../kernel/caller.ts'
import { agents } from '../agents/index.ts'
import { boardActors } from '../members/index.ts'
import { type ActorRow, actors } from '../people/index.ts'
import { projects } from '../projects/index.ts'
import { assigneesOf, type Task } from '../tasks/index.ts'
import { runEntries, runs } from './tables.ts'

/** Only an agent that is active, and that the board is open to, is called. */
export async function sees(
  tx: Tx,
  board: Pick<Task, 'project_id'>,
  { actor_id }: Pick<ActorRow, 'actor_id'>,
): Promise<boolean> {
  return (await boardOf(tx, board)).some((one) => one.actor_id === actor_id)
}

/** Everybody who sees the board. */
async function boardOf(tx: Tx, { project_id }: Pick<Task, 'project_id'>): Promise<ActorRow[]> {
  const [project] = await tx.select().from(projects).where(eq(projects.project_id, project_id))
  return project ? boardActors({ tx }, project) : []
}

/** The native agents that are assigned to a task, else the only one of its board. */
export async function nativesFor(tx: Tx, task: Task): Promise<ActorRow[]> {
  const isNative = and(eq(agents.team_id, task.team_id), eq(agents.kind, 'native'))
  const natives = await tx.select().from(agents).where(isNative)
  const ids = new Set(natives.map(({ actor_id }) => actor_id))
  const isOne = ({ actor_id }: ActorRow) => ids.has(actor_id)
  const assigned = ids.size ? (await assigneesOf(tx, task)).filter(isOne) : []
  if (!ids.size || assigned.length) return assigned
  const here = (await boardOf(tx, task)).filter(isOne)
  return here.length === 1 ? here : []
}

/** So often in an hour do agents call one that Corkboard runs to the same task, and to any. */
const MOST_CALLS = { task: 5, all: 30 }
const HOUR_MS = 60 * 60_000

/** Two that answer each other would do so for ever, at the cost of whoever pays for the model. */
export async function isCalledTooOften(
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
    (await callsSince(tx, ofTask, since)) >= MOST_CALLS.task ||
    (await callsSince(tx, own, since)) >= MOST_CALLS.all
  )
}

/** How often agents began one of these runs, or asked something of one. */
async function callsSince(tx: Tx, those: SQL, since: Date): Promise<number> {
  const others = tx
    .select({ actor_id: actors.actor_id })
    .from(actors)
    .where(eq(actors.kind, 'agent'))
  const [begun] = await tx
    .select({ many: count() })
    .from(runs)
    .where(and(those, gt(runs.created_at, since), inArray(runs.created_by, others)))
  const [asked] = await tx
    .select({ many: count() })
    .from(runEntries)
    .innerJoin(runs, eq(runs.run_id, runEntries.run_id))
    .where(
      and(
        ...[those, eq(runEntries.team_id, runs.team_id), eq(runEntries.kind, 'prompt')],
        ...[gt(runEntries.at, since), inArray(runEntries.author_id, others)],
      ),
    )
  return Math.max(Number(begun!.many), Number(asked!.many))
}
