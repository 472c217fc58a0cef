import { and, eq } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { agents } from '../../../agents/agents/model/index.ts'
import type { Project } from '../../../boards/projects/model/index.ts'

/** Only the agent itself, its owner and team admins may assign it. */
export async function checkMayAssignAgent(
  { tx, caller }: Context,
  { team_id }: Project,
  agent_id: string,
) {
  const condition = and(eq(agents.team_id, team_id), eq(agents.agent_id, agent_id.toLowerCase()))
  const [agent] = await tx.select().from(agents).where(condition)
  if (!agent)
    throw fault.invalid(
      'agent_id',
      'not_found',
      `There is no agent ${agent_id} in this team`,
      agent_id,
      'List the agents of a board with their agent_id: svc_projects members',
    )
  const role = caller.teams.get(team_id)
  const isResponsible = caller.actor_id === agent.owner_id || role === 'owner' || role === 'admin'
  const isPerson = caller.kind === 'person'
  if (caller.actor_id === agent.actor_id || (isPerson && isResponsible)) return
  throw fault.forbidden(
    'Only its owner or a team admin can assign this agent',
    'Ask its owner. Agents assign themselves with assign_self',
  )
}
