import { and, eq, inArray, or, type SQL } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { agents } from '../../../agents/agents/model/index.ts'
import { detailsOf, Kind, listActors, TeamMember, toMember } from '../../members/model/index.ts'
import { actors } from '../../people/model/index.ts'
import { findTeam, members, TeamRef } from '../model/index.ts'

export const listTeamMembers = operation({
  name: 'teams.members',
  summary: 'People in a team with their roles, and its agents',
  needs: 'teams:read',
  dependsOn: ['team', 'invitation', 'member', 'profile', 'agent'],
  on: {
    rest: 'GET /api/v1/teams/:team_id/members',
    cli: { usage: 'teams members [team_id]', example: '' },
  },
  input: listInput({ team_id: TeamRef, kind: Kind }, ['title', 'createdAt']),
  output: listOf(TeamMember),
  async run(input, ctx) {
    const { team_id } = await findTeam(ctx, input.team_id)
    const { rows, page } = await listActors(
      ctx.tx,
      input,
      `team ${team_id}`,
      teamMembers(ctx.tx, team_id),
    )
    const details = await detailsOf(ctx, team_id, rows)
    return { items: rows.map((row) => toMember(row, details)), page }
  },
})

function teamMembers(tx: Tx, team_id: number): SQL {
  const inPeople = tx
    .select({ actor_id: members.actor_id })
    .from(members)
    .where(eq(members.team_id, team_id))
  const inAgents = tx
    .select({ actor_id: agents.actor_id })
    .from(agents)
    .where(and(eq(agents.team_id, team_id), inArray(agents.state, ['active', 'inactive'])))
  return or(inArray(actors.actor_id, inPeople), inArray(actors.actor_id, inAgents))!
}
