import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import {
  detailsOf,
  inTeam,
  Kind,
  listActors,
  TeamMember,
  toMember,
} from '../../members/model/index.ts'
import { findTeam, TeamRef } from '../model/index.ts'

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
      inTeam(ctx.tx, team_id),
    )
    const details = await detailsOf(ctx, team_id, rows)
    return { items: rows.map((row) => toMember(row, details)), page }
  },
})
