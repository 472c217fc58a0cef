import { and, eq, inArray } from 'drizzle-orm'
import type { Context, Scope } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { projects, visibleProjects } from '../../../boards/projects/model/index.ts'
import { AGENT_SCOPES, DEFAULT_AGENT_SCOPES, roleOf } from '../../../identity/teams/model/index.ts'
import { firstScopeBeyond } from './rules.ts'
import type { Agent, NamedAgent } from './store.ts'

/** An agent may have only scopes that the credential of its creator has. */
export function grantableScopes({ caller }: Context, requested: Scope[] | undefined): Scope[] {
  const own = AGENT_SCOPES.filter((scope) => caller.scopes.has(scope))
  const excess = firstScopeBeyond(requested ?? [], new Set(own))
  if (excess)
    throw fault.invalid(
      'scopes',
      'out_of_range',
      `You cannot give an agent ${excess}, because you do not have it yourself`,
      excess,
      `Scopes you can give: ${own.join(', ') || 'none'}`,
    )
  return requested ?? DEFAULT_AGENT_SCOPES.filter((scope) => caller.scopes.has(scope))
}

/**
 * Throws unless the caller has every scope of the agent: a token grants all of them to anyone who sees
 * it.
 */
export function requireScopesOf({ caller }: Context, { scopes }: Agent): void {
  const excess = firstScopeBeyond(scopes, caller.scopes)
  if (excess)
    throw fault.forbidden(
      `This credential cannot see the agent's token, because it lacks ${excess}, which the agent has`,
      'Use a credential with all scopes of the agent, or narrow the scopes of the agent first',
    )
}

export async function requireVisibleBoards(ctx: Context, team_id: number, ids: readonly number[]) {
  const visible = await visibleBoardsAmong(ctx, team_id, ids)
  const hidden = ids.find((id) => !visible.has(id))
  if (hidden !== undefined)
    throw fault.invalid(
      'project_ids',
      'not_found',
      `There is no board ${hidden} in this team that you can see`,
      hidden,
      'List your boards: GET /api/v1/projects',
    )
}

/** The boards among these that the caller can see. */
export async function visibleBoardsAmong(ctx: Context, team_id: number, ids: readonly number[]) {
  if (!ids.length) return new Set<number>()
  const rows = await ctx.tx
    .select({ project_id: projects.project_id })
    .from(projects)
    .where(
      and(
        visibleProjects(ctx),
        eq(projects.team_id, team_id),
        inArray(projects.project_id, [...ids]),
      ),
    )
  return new Set(rows.map(({ project_id }) => project_id))
}

export function refuseArchived({ name, state }: NamedAgent) {
  if (state === 'archived')
    throw fault.conflict(
      `${name} is archived`,
      { field: 'agent_id', state },
      'Enable it first: POST /api/v1/agents/{agent_id}/enable',
    )
}

/** Throws if the owner has left the team: no token of the agent would be accepted. */
export async function requireOwnerInTeam({ tx }: Context, { name, team_id, owner_id }: NamedAgent) {
  if (!(await roleOf(tx, team_id, owner_id)))
    throw fault.conflict(
      `The owner of ${name} has left the team, so a token would not work`,
      { field: 'agent_id' },
      'Invite the owner again, or delete this agent and create your own',
    )
}
