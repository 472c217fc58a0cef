import { and, eq, inArray } from 'drizzle-orm'
import type { Context, Scope } from '../../../../kernel/caller.ts'
import { missingScope } from '../../../../kernel/dispatch.ts'
import { fault } from '../../../../kernel/fault.ts'
import {
  claimName,
  differences,
  emitAgent,
  insertAgent,
  lockManagedAgent,
  type NamedAgent,
  requireOwnerInTeam,
  setAgent,
} from '../../../agents/agents/model/index.ts'
import { projects } from '../../../boards/projects/model/index.ts'
import { AGENT_SCOPES, findTeam, lockTeam } from '../../teams/model/index.ts'

export interface AgentChoice {
  /** An agent that exists; without it a new one is created. */
  agent_id?: string
  name?: string
  team_id?: number
}

interface Access {
  scopes: readonly Scope[]
  project_ids: number[] | null
}

/** The agent of the caller that a client works as: a new one, or one that exists. */
export async function agentOfGrant(
  ctx: Context,
  { agent_id, name, team_id }: AgentChoice,
  access: Access,
): Promise<NamedAgent> {
  if (!ctx.caller.scopes.has('agents:manage')) throw missingScope('agents:manage')
  const manager: Context = { ...ctx, needs: 'agents:manage' }
  const scopes = agentScopes(ctx, access.scopes)
  if (agent_id !== undefined) return widenAgent(manager, agent_id, scopes)
  if (team_id === undefined) throw fault.invalid('team', 'required', 'Choose a team for the agent')
  return createAgent(manager, { name: name ?? '', team_id, ...access, scopes })
}

/** The requested scopes that an agent can have. It never manages credentials, teams or agents. */
function agentScopes({ caller }: Context, requested: readonly Scope[]): Scope[] {
  const scopes = AGENT_SCOPES.filter((one) => requested.includes(one) && caller.scopes.has(one))
  if (scopes.length) return scopes
  throw fault.invalid('scope', 'out_of_range', 'An agent cannot have any of these permissions')
}

interface NewGrantAgent extends Access {
  name: string
  team_id: number
  scopes: Scope[]
}

async function createAgent(ctx: Context, draft: NewGrantAgent): Promise<NamedAgent> {
  const { team_id } = await findTeam(ctx, draft.team_id)
  await lockTeam(ctx.tx, team_id)
  const name = draft.name.trim()
  if (!name || name.length > 200)
    throw fault.invalid('name', 'required', 'An agent needs a name of at most 200 characters')
  await claimName(ctx, 'name', { team_id, name })
  const { scopes } = draft
  const project_ids = await boardsOfTeam(ctx, team_id, draft.project_ids)
  const owner_id = ctx.caller.actor_id
  const agent = await insertAgent(ctx.tx, { team_id, owner_id, name, scopes, project_ids }, ctx.now)
  emitAgent(ctx, 'created', agent, { kind: agent.kind, scopes, project_ids })
  return agent
}

/** An agent works in one team, so boards of other teams are left out. */
async function boardsOfTeam({ tx }: Context, team_id: number, ids: number[] | null) {
  if (!ids) return null
  const rows = await tx
    .select({ project_id: projects.project_id })
    .from(projects)
    .where(and(eq(projects.team_id, team_id), inArray(projects.project_id, ids)))
  if (rows.length) return rows.map(({ project_id }) => project_id)
  throw fault.invalid('board', 'not_found', 'Choose boards of the team that the agent works in')
}

/** Gives an existing agent the scopes that it lacks, and enables it if it is inactive. */
async function widenAgent(ctx: Context, agent_id: string, requested: Scope[]) {
  const agent = await lockManagedAgent(ctx, agent_id)
  if (agent.owner_id !== ctx.caller.actor_id || agent.kind === 'native')
    throw fault.invalid('who', 'not_found', 'Choose one of your own agents')
  await requireOwnerInTeam(ctx, agent)
  if (agent.state !== 'active' && agent.state !== 'inactive')
    throw fault.conflict(`${agent.name} is archived`, { field: 'who' }, 'Create a new agent')
  const scopes = AGENT_SCOPES.filter((one) => agent.scopes.includes(one) || requested.includes(one))
  const set = { scopes, state: 'active' as const }
  const { name, state } = agent
  const changed = differences<Partial<NamedAgent>>(agent, set)
  const after = await setAgent(ctx.tx, agent, set)
  if (Object.keys(changed).length)
    emitAgent(ctx, state === 'active' ? 'updated' : 'enabled', { ...after, name }, { changed })
  return after
}
