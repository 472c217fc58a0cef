import { and, eq } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { agents } from '../../../agents/agents/model/index.ts'
import type { Project } from '../../../boards/projects/model/index.ts'

/** Only the agent itself, its owner and team admins may assign it. */
export async function checkMayAssignAgent(ctx: Context, project: Project, agent_id: string) {
  if (mayAssign(ctx, await agentOnBoard(ctx, project, agent_id))) return
  throw fault.forbidden(
    'Only its owner or a team admin can assign this agent',
    'Ask its owner. Agents assign themselves with assign_self',
  )
}

/** Agents may also hand tasks over to other agents of their owner. */
export async function checkMayHandOver(ctx: Context, project: Project, agent_id: string) {
  const agent = await agentOnBoard(ctx, project, agent_id)
  if (mayAssign(ctx, agent) || ctx.caller.person_id === agent.owner_id) return
  throw fault.forbidden(
    'Only agents of the same owner, its owner or a team admin can hand tasks over to this agent',
    'Hand it over to your owner instead: "to": "owner"',
  )
}

async function agentOnBoard({ tx }: Context, { team_id }: Project, agent_id: string) {
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
  return agent
}

function mayAssign({ caller }: Context, agent: typeof agents.$inferSelect): boolean {
  const role = caller.teams.get(agent.team_id)
  const isResponsible = caller.actor_id === agent.owner_id || role === 'owner' || role === 'admin'
  const isPerson = caller.kind === 'person'
  return caller.actor_id === agent.actor_id || (isPerson && isResponsible)
}
