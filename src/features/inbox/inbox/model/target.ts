import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { findAgent, manages } from '../../../agents/agents/model/index.ts'
import type { Project } from '../../../boards/projects/model/index.ts'
import { findBoardActor } from '../../../identity/members/model/index.ts'
import type { ActorRow } from '../../../identity/people/model/index.ts'

interface InboxOwner {
  user_id: number | undefined
  agent_id: string | undefined
}

/**
 * Finds the owner of the inbox that a task moves into. Owners and admins may choose anybody on the
 * board, people their own agents, and agents their owner. Everybody may choose themselves.
 */
export async function findTarget(
  ctx: Context,
  project: Project,
  { user_id, agent_id }: InboxOwner,
): Promise<ActorRow> {
  if (user_id !== undefined && agent_id !== undefined)
    throw fault.invalid('agent_id', 'conflict', 'Name one inbox: send either user_id or agent_id')
  const [ref, field] = user_id === undefined ? [agent_id, 'agent_id'] : [user_id, 'user_id']
  if (ref === undefined)
    throw fault.invalid('user_id', 'required', 'Name whose inbox: send user_id or agent_id')
  const target = await findBoardActor(ctx, project, ref, field)
  if (await mayMoveInto(ctx, project, target)) return target
  const allowed = target.agent_id === null ? 'Only' : 'Only its owner, and'
  throw fault.forbidden(
    `${allowed} owners and admins of the team can move tasks to the inbox of ${target.name}`,
    'Assign the task or mention them in a comment: svc_comments add',
  )
}

async function mayMoveInto(
  ctx: Context,
  { team_id }: Project,
  { actor_id, agent_id }: ActorRow,
): Promise<boolean> {
  const { caller } = ctx
  if (actor_id === caller.actor_id) return true
  if (caller.kind === 'agent') return actor_id === caller.person_id
  if (agent_id !== null) return manages(ctx, await findAgent(ctx, agent_id))
  const role = caller.teams.get(team_id)
  return role === 'owner' || role === 'admin'
}
