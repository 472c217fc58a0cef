import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import type { Project } from '../../../boards/projects/model/index.ts'
import { findBoardActor } from '../../../identity/members/model/index.ts'
import { type ActorRow, actorsOf } from '../../../identity/people/model/index.ts'
import { assigneesOf, checkMayAssignAgent, uniqueActors } from '../../assignees/model/index.ts'
import type { Located, Task } from '../../tasks/model/index.ts'
import { Edit } from './edit.ts'
import { changeAssignees, save, updateDueTime } from './update.ts'

export interface Assignment {
  user_id?: number
  user_ids?: number[]
  agent_id?: string
  assign_self?: boolean
  intent?: 'assign' | 'unassign'
}

interface AssignResult {
  task: Task
  changed: string[]
}

/** Assigns or unassigns the requested people and agents. Repeating it changes nothing. */
export async function assign(
  ctx: Context,
  { task, project }: Located,
  assignment: Assignment,
): Promise<AssignResult> {
  const before = await assigneesOf(ctx.tx, task)
  const requested = uniqueActors(
    await resolvePeople(ctx, project, assignment, before),
    await resolveAgents(ctx, project, assignment, before),
  )
  if (!requested.length && !namesAnyone(assignment))
    throw fault.invalid(
      'user_id',
      'required',
      'An assignee is required: user_id, user_ids, agent_id, or assign_self with an agent token',
    )
  return setAssignees(
    ctx,
    task,
    before,
    assignment.intent === 'unassign'
      ? excludeActors(before, requested)
      : uniqueActors(before, requested),
  )
}

export const excludeActors = (before: readonly ActorRow[], excluded: readonly ActorRow[]) =>
  before.filter((actor) => !excluded.some(({ actor_id }) => actor_id === actor.actor_id))

/** Saves these assignees of a task, together with the due time that follows from them. */
export async function setAssignees(
  ctx: Context,
  task: Task,
  before: readonly ActorRow[],
  after: readonly ActorRow[],
): Promise<AssignResult> {
  const edit = new Edit(ctx, task)
  await changeAssignees(edit, before, after)
  await updateDueTime(edit, task.due_date, after)
  return { task: await save(edit), changed: edit.changed }
}

const namesAnyone = ({ user_id, user_ids, agent_id, assign_self }: Assignment) =>
  user_id !== undefined || user_ids?.length || agent_id !== undefined || assign_self

async function resolvePeople(
  ctx: Context,
  project: Project,
  { user_id, user_ids = [], intent }: Assignment,
  current: readonly ActorRow[],
): Promise<ActorRow[]> {
  const references = [
    ...(user_id === undefined ? [] : [['user_id', user_id] as const]),
    ...user_ids.map((id) => ['user_ids', id] as const),
  ]
  const found: ActorRow[] = []
  for (const [field, id] of references) {
    const holder = current.find(({ kind, actor_id }) => kind === 'person' && actor_id === id)
    if (holder) found.push(holder)
    else if (intent !== 'unassign') found.push(await findBoardActor(ctx, project, id, field))
  }
  return found
}

async function resolveAgents(
  ctx: Context,
  project: Project,
  { agent_id, assign_self, intent }: Assignment,
  holding: readonly ActorRow[],
): Promise<ActorRow[]> {
  const found: ActorRow[] = []
  if (assign_self || agent_id === 'self')
    found.push(await callerAgent(ctx, assign_self ? 'assign_self' : 'agent_id'))
  if (agent_id === undefined || agent_id === 'self') return found
  await checkMayAssignAgent(ctx, project, agent_id)
  const holder = holding.find((actor) => actor.agent_id === agent_id.toLowerCase())
  if (holder) found.push(holder)
  else if (intent !== 'unassign')
    found.push(await findBoardActor(ctx, project, agent_id, 'agent_id'))
  return found
}

async function callerAgent({ tx, caller }: Context, field: string): Promise<ActorRow> {
  if (caller.kind !== 'agent')
    throw fault.forbidden(
      `${field} requires an agent token`,
      `Send user_id ${caller.actor_id} to assign yourself`,
    )
  return (await actorsOf(tx, [caller.actor_id])).get(caller.actor_id)!
}
