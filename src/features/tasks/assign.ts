import { and, eq } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { agents } from '../agents/index.ts'
import { findBoardActor } from '../members/index.ts'
import { type ActorRow, actorsOf } from '../people/index.ts'
import type { Project } from '../projects/index.ts'
import type { Located, Task } from './address.ts'
import { assigneesOf, assignTo, together } from './assignees.ts'
import { Edit } from './edit.ts'
import { save, settle } from './update.ts'

export interface Assignment {
  user_id?: number
  user_ids?: number[]
  agent_id?: string
  assign_self?: boolean
  intent?: 'assign' | 'unassign'
}

interface Assigned {
  task: Task
  changed: string[]
}

/** Gives a task to these, or takes it from them. Doing so again changes nothing. */
export async function assign(
  ctx: Context,
  { task, project }: Located,
  asked: Assignment,
): Promise<Assigned> {
  const before = await assigneesOf(ctx.tx, task)
  const meant = together(
    await peopleMeant(ctx, project, asked, before),
    await agentsMeant(ctx, project, asked, before),
  )
  if (!meant.length && !isNamed(asked))
    throw fault.invalid(
      'user_id',
      'required',
      'Say who: user_id, user_ids, agent_id, or assign_self with an agent token',
    )
  return hand(
    ctx,
    task,
    before,
    asked.intent === 'unassign' ? without(before, meant) : together(before, meant),
  )
}

export const without = (before: readonly ActorRow[], some: readonly ActorRow[]) =>
  before.filter((one) => !some.some(({ actor_id }) => actor_id === one.actor_id))

/** Makes these the assignees of a task. */
export async function hand(
  ctx: Context,
  task: Task,
  before: readonly ActorRow[],
  after: readonly ActorRow[],
): Promise<Assigned> {
  const edit = new Edit(ctx, task)
  edit.handover = await assignTo(ctx.tx, task, before, after)
  await settle(edit, task.due_date, after)
  return { task: await save(edit), changed: edit.changed }
}

const isNamed = ({ user_id, user_ids, agent_id, assign_self }: Assignment) =>
  user_id !== undefined || user_ids?.length || agent_id !== undefined || assign_self

async function peopleMeant(
  ctx: Context,
  project: Project,
  { user_id, user_ids = [], intent }: Assignment,
  holding: readonly ActorRow[],
): Promise<ActorRow[]> {
  const named = [
    ...(user_id === undefined ? [] : [['user_id', user_id] as const]),
    ...user_ids.map((id) => ['user_ids', id] as const),
  ]
  const found: ActorRow[] = []
  for (const [field, id] of named) {
    const holder = holding.find(({ kind, actor_id }) => kind === 'person' && actor_id === id)
    if (holder) found.push(holder)
    else if (intent !== 'unassign') found.push(await findBoardActor(ctx, project, id, field))
  }
  return found
}

async function agentsMeant(
  ctx: Context,
  project: Project,
  { agent_id, assign_self, intent }: Assignment,
  holding: readonly ActorRow[],
): Promise<ActorRow[]> {
  const found: ActorRow[] = []
  if (assign_self || agent_id === 'self')
    found.push(await oneself(ctx, assign_self ? 'assign_self' : 'agent_id'))
  if (agent_id === undefined || agent_id === 'self') return found
  await checkOwner(ctx, project, agent_id)
  const holder = holding.find((one) => one.agent_id === agent_id.toLowerCase())
  if (holder) found.push(holder)
  else if (intent !== 'unassign')
    found.push(await findBoardActor(ctx, project, agent_id, 'agent_id'))
  return found
}

async function oneself({ tx, caller }: Context, field: string): Promise<ActorRow> {
  if (caller.kind !== 'agent')
    throw fault.forbidden(
      `${field} is for an agent's own token`,
      `Send user_id ${caller.actor_id} to assign yourself`,
    )
  return (await actorsOf(tx, [caller.actor_id])).get(caller.actor_id)!
}

/** Work is handed to an agent by those who answer for it. */
export async function checkOwner({ tx, caller }: Context, { team_id }: Project, agent_id: string) {
  const one = and(eq(agents.team_id, team_id), eq(agents.agent_id, agent_id.toLowerCase()))
  const [agent] = await tx.select().from(agents).where(one)
  if (!agent)
    throw fault.invalid(
      'agent_id',
      'not_found',
      `There is no agent ${agent_id} in this team`,
      agent_id,
      'svc_projects members lists the agents of a board with their agent_id',
    )
  const role = caller.teams.get(team_id)
  const answers = caller.actor_id === agent.owner_id || role === 'owner' || role === 'admin'
  const isPerson = caller.kind === 'person'
  if (caller.actor_id === agent.actor_id || (isPerson && answers)) return
  throw fault.forbidden(
    'Only its owner or an admin of the team may assign this agent',
    'Ask its owner; an agent assigns itself with assign_self',
  )
}
