import { Type as t } from '@sinclair/typebox'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { removeMember } from '../../departures/model/index.ts'
import { MemberReceipt } from '../../members/model/index.ts'
import { UserId } from '../../people/model/index.ts'
import { findTeam, TeamRef } from '../model/index.ts'
import { findMember, requireOwner, requireRemainingOwner } from './set-role.ts'

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
  await removeMember(ctx, { team_id, user_id, role })
  return { team_id, user_id, name }
}
