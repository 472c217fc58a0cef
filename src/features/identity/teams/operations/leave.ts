import { Type as t } from '@sinclair/typebox'
import { and, eq, inArray, ne } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { agents } from '../../../agents/agents/model/index.ts'
import { projectMembers } from '../../../boards/projects/model/index.ts'
import { credentials } from '../../credentials/model/index.ts'
import { revokeCredentials } from '../../departures/model/index.ts'
import { MemberReceipt } from '../../members/model/index.ts'
import { UserId } from '../../people/model/index.ts'
import { findTeam, members, TeamRef } from '../model/index.ts'
import { findMember, membership, requireOwner, requireRemainingOwner } from './set-role.ts'

export const remove = operation({
  name: 'teams.remove_member',
  summary: 'Remove a person from the team and its boards',
  needs: 'teams:manage',
  destroys: true,
  on: {
    rest: 'DELETE /api/v1/teams/:team_id/members/:user_id',
    cli: { usage: 'teams remove-member <team_id> <user_id>', example: '1 Cleo' },
  },
  input: t.Object({ team_id: TeamRef, user_id: UserId }),
  output: MemberReceipt,
  async run({ team_id: ref, user_id }, ctx) {
    const { team_id } = await findTeam(ctx, ref)
    return removeFromTeam(ctx, team_id, user_id)
  },
})

/** Separate from removal, which needs an owner or admin: everyone may leave a team. */
export const leave = operation({
  name: 'teams.leave',
  summary: 'Leave a team and its boards',
  needs: 'profile:write',
  destroys: true,
  on: {
    rest: 'POST /api/v1/teams/:team_id/leave',
    cli: { usage: 'teams leave <team_id>', example: '1' },
  },
  input: t.Object({ team_id: TeamRef }),
  output: MemberReceipt,
  async run({ team_id: ref }, ctx) {
    if (ctx.caller.kind === 'agent')
      throw fault.forbidden(
        'Only people can leave a team; agents cannot',
        'The owner of the agent can remove its access',
      )
    const { team_id } = await findTeam(ctx, ref)
    return removeFromTeam(ctx, team_id, ctx.caller.actor_id)
  },
})

async function removeFromTeam(ctx: Context, team_id: number, user_id: number) {
  const { name, role } = await findMember(ctx, team_id, user_id)
  if (role === 'owner') await requireOwner(ctx, team_id)
  await requireRemainingOwner(ctx.tx, team_id, role)
  const onBoards = and(eq(projectMembers.team_id, team_id), eq(projectMembers.actor_id, user_id))
  await ctx.tx.delete(projectMembers).where(onBoards)
  await ctx.tx.delete(members).where(membership(team_id, user_id))
  ctx.emit('member.removed', { team_id }, { user_id, role })
  await revokeTokensMintedBy(ctx, team_id, user_id)
  return { team_id, user_id, name }
}

/** A leaving member knows the tokens they created for other people's agents, so these are revoked. */
async function revokeTokensMintedBy(ctx: Context, team_id: number, user_id: number): Promise<void> {
  const othersAgents = ctx.tx
    .select({ actor_id: agents.actor_id })
    .from(agents)
    .where(and(eq(agents.team_id, team_id), ne(agents.owner_id, user_id)))
  await revokeCredentials(
    ctx,
    and(
      eq(credentials.kind, 'agent'),
      eq(credentials.minted_by, user_id),
      inArray(credentials.actor_id, othersAgents),
    ),
  )
}
