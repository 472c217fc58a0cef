import { eq } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import type { Project } from '../../../boards/projects/model/index.ts'
import { findBoardActor } from '../../../identity/members/model/index.ts'
import { type ActorRow, actorsOf } from '../../../identity/people/model/index.ts'
import { assigneesOf, checkMayAssignAgent } from '../../../tasks/assignees/model/index.ts'
import type { Located } from '../../../tasks/tasks/model/index.ts'
import { agents, obstacleTo } from '../../agents/model/index.ts'
import { canMove, isOver, movesFrom, type State } from './rules.ts'
import type { Found, Run } from './store.ts'

/** The agent of a new run: the caller, the one that is named, or the only one that is assigned. */
export async function resolveAgent(
  ctx: Context,
  located: Located,
  agentRef: string | undefined,
): Promise<ActorRow> {
  const { tx, caller } = ctx
  const self = agentRef === 'self' || (agentRef === undefined && caller.kind === 'agent')
  if (!self) return resolveOtherAgent(ctx, located, agentRef)
  if (caller.kind === 'agent') return (await actorsOf(tx, [caller.actor_id])).get(caller.actor_id)!
  throw fault.forbidden(
    'agent_id self requires an agent token',
    'Use the UUID of the agent; list agents with svc_projects members',
  )
}

async function resolveOtherAgent(
  ctx: Context,
  { task, project }: Located,
  agentRef: string | undefined,
) {
  const agent_id = agentRef ?? (await onlyAssignedAgent(ctx, task))
  await checkMayAssignAgent(ctx, project, agent_id)
  return findBoardActor(ctx, project, agent_id.toLowerCase(), 'agent_id')
}

async function onlyAssignedAgent(ctx: Context, task: Located['task']): Promise<string> {
  const assigned = (await assigneesOf(ctx.tx, task)).filter(({ kind }) => kind === 'agent')
  const [one, ...rest] = assigned
  if (one && !rest.length) return one.agent_id!
  throw fault.invalid(
    'agent_id',
    'required',
    `${task.ticket_number} has ${one ? 'several agents' : 'no agent'} assigned, so agent_id is required`,
    undefined,
    'Use the UUID of the agent; list agents with svc_projects members',
  )
}

/** Throws if the task is archived or deleted. */
export function checkTaskActive({ task }: Located): void {
  if (task.status === 'Normal') return
  throw fault.conflict(
    `${task.ticket_number} is ${task.status === 'Deleted' ? 'deleted' : 'archived'}`,
    { field: 'task_id', value: task.task_id, status: task.status },
    'Restore it first: svc_tasks update with status Normal',
  )
}

/**
 * Throws if the agent may not begin or resume a run on this board: one of them is paused, or has
 * used its budget. A run that goes on already is not affected.
 */
export async function checkMayWork(
  ctx: Context,
  { project_id }: Pick<Project, 'project_id'>,
  { actor_id }: Pick<ActorRow, 'actor_id'>,
  run: Run | undefined,
): Promise<void> {
  if (run?.state === 'running') return
  const [agent] = await ctx.tx.select().from(agents).where(eq(agents.actor_id, actor_id))
  const hasStarted = run !== undefined && run.started_at !== null
  const obstacle = agent && (await obstacleTo(ctx, agent, project_id, { hasStarted }))
  if (obstacle) throw obstacle
}

const isOwn = ({ caller }: Context, run: Run) => caller.actor_id === run.actor_id

/** Throws unless the caller is the agent of the run. */
export function checkIsRunAgent(ctx: Context, { run }: Found): void {
  if (isOwn(ctx, run)) return
  throw fault.forbidden(
    'Only the agent of the run can do this',
    'People prompt a run with POST /api/v1/runs/{id}/prompt and stop it with /stop',
  )
}

export function checkCanPrompt(ctx: Context, { run }: Found): void {
  if (isOwn(ctx, run))
    throw fault.forbidden(
      'An agent cannot prompt itself',
      'Report your work with POST /api/v1/runs/{id}/transcript',
    )
}

/** The agent, its owner, the person who started the run, and team admins may stop it. */
export async function checkCanStop(ctx: Context, { run, project }: Found): Promise<void> {
  const { tx, caller } = ctx
  if (isOwn(ctx, run) || caller.actor_id === run.created_by || isAdmin(ctx, project)) return
  const [agent] = await tx.select().from(agents).where(eq(agents.actor_id, run.actor_id))
  if (caller.kind === 'person' && agent?.owner_id === caller.actor_id) return
  throw fault.forbidden(
    'Only its agent, the owner of the agent, the person who started it or an admin can stop a run',
    'Ask one of them, or prompt the run: POST /api/v1/runs/{id}/prompt',
  )
}

function isAdmin({ caller }: Context, { team_id }: Project): boolean {
  const role = caller.teams.get(team_id)
  return caller.kind === 'person' && (role === 'owner' || role === 'admin')
}

export function checkNotOver({ run }: Found): void {
  if (!isOver(run.state)) return
  throw fault.conflict(
    `This run is ${run.state} and cannot be changed`,
    { field: 'run_id', value: run.run_id, state: run.state },
    'Start another: POST /api/v1/tasks/{task}/runs',
  )
}

export function checkTransition({ run }: Found, state: State): void {
  if (canMove(run.state, state)) return
  const nextStates = movesFrom(run.state)
  throw fault.conflict(
    `A ${run.state} run cannot become ${state}`,
    { field: 'state', value: state, state: run.state },
    nextStates.length
      ? `It can become ${nextStates.join(' or ')}`
      : 'This state is final. Start another run: POST /api/v1/tasks/{task}/runs',
  )
}
