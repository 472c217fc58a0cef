import { and, eq, inArray } from 'drizzle-orm'
import type { Context, Scope } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { projects, visibleProjects } from '../projects/index.ts'
import { AGENT_SCOPES, roleOf, USUAL_AGENT_SCOPES } from '../teams/index.ts'
import { beyond } from './rules.ts'
import type { Agent, NamedAgent } from './store.ts'

/** An agent is given no more than the credential that makes it may do. */
export function heritable({ caller }: Context, asked: Scope[] | undefined): Scope[] {
  const own = AGENT_SCOPES.filter((scope) => caller.scopes.has(scope))
  const more = beyond(asked ?? [], new Set(own))
  if (more)
    throw fault.invalid(
      'scopes',
      'out_of_range',
      `You may not do ${more} yourself, so an agent of yours may not either`,
      more,
      `It may have ${own.join(', ') || 'nothing'}`,
    )
  return asked ?? USUAL_AGENT_SCOPES.filter((scope) => caller.scopes.has(scope))
}

/** Whoever is shown a token can do all that it may. */
export function mayHold({ caller }: Context, { scopes }: Agent): void {
  const more = beyond(scopes, caller.scopes)
  if (more)
    throw fault.forbidden(
      `The agent may do ${more} and this credential may not, so it is not shown a token of it`,
      'Use a credential that may do all that the agent may, or narrow its scopes first',
    )
}

export async function refuseUnseen(ctx: Context, team_id: number, ids: readonly number[]) {
  const seen = await seenAmong(ctx, team_id, ids)
  const unseen = ids.find((id) => !seen.has(id))
  if (unseen !== undefined)
    throw fault.invalid(
      'project_ids',
      'not_found',
      `There is no board ${unseen} in this team that you can see`,
      unseen,
      'List your boards: GET /api/v1/projects',
    )
}

/** Of these boards of a team, those that the caller can see. */
export async function seenAmong(ctx: Context, team_id: number, ids: readonly number[]) {
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

/** Without its owner in the team nothing opens the door for it. */
export async function refuseOrphan({ tx }: Context, { name, team_id, owner_id }: NamedAgent) {
  if (!(await roleOf(tx, team_id, owner_id)))
    throw fault.conflict(
      `The owner of ${name} has left the team, so no token would let it in`,
      { field: 'agent_id' },
      'Invite them again, or delete it and create an agent of your own',
    )
}
