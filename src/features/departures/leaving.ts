import { Type as t } from '@sinclair/typebox'
import { and, eq, inArray, ne } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { operation } from '../../kernel/operation.ts'
import { agents } from '../agents/index.ts'
import { credentials } from '../credentials/index.ts'
import { findMember, keepOwner, MemberReceipt, one, refuseOthers } from '../members/index.ts'
import { UserId } from '../people/index.ts'
import { projectMembers } from '../projects/index.ts'
import { findTeam, members, TeamRef } from '../teams/index.ts'
import { endCredentials } from './endings.ts'

export const remove = operation({
  name: 'teams.remove_member',
  summary: 'Remove a person from the team and its boards',
  needs: 'teams:manage',
  destroys: true,
  on: {
    rest: 'DELETE /api/v1/teams/:team_id/members/:user_id',
    cli: 'teams remove-member <team_id> <user_id>',
  },
  input: t.Object({ team_id: TeamRef, user_id: UserId }),
  output: MemberReceipt,
  async run({ team_id: ref, user_id }, ctx) {
    const { team_id } = await findTeam(ctx, ref)
    return depart(ctx, team_id, user_id)
  },
})

/** Apart from removing, which only an owner or admin may: nobody is kept in a team. */
export const leave = operation({
  name: 'teams.leave',
  summary: 'Leave a team and its boards',
  needs: 'profile:write',
  destroys: true,
  on: { rest: 'POST /api/v1/teams/:team_id/leave', cli: 'teams leave <team_id>' },
  input: t.Object({ team_id: TeamRef }),
  output: MemberReceipt,
  async run({ team_id: ref }, ctx) {
    if (ctx.caller.kind === 'agent')
      throw fault.forbidden(
        'An agent does not belong to a team by itself; only people leave',
        'Whoever owns the agent can take its access away',
      )
    const { team_id } = await findTeam(ctx, ref)
    return depart(ctx, team_id, ctx.caller.actor_id)
  },
})

async function depart(ctx: Context, team_id: number, user_id: number) {
  const { name, role } = await findMember(ctx, team_id, user_id)
  if (role === 'owner') await refuseOthers(ctx, team_id)
  await keepOwner(ctx.tx, team_id, role)
  const onBoards = and(eq(projectMembers.team_id, team_id), eq(projectMembers.actor_id, user_id))
  await ctx.tx.delete(projectMembers).where(onBoards)
  await ctx.tx.delete(members).where(one(team_id, user_id))
  ctx.emit('member.removed', { team_id }, { user_id, role })
  await endTokensMintedBy(ctx, team_id, user_id)
  return { team_id, user_id, name }
}

/** Whoever leaves has seen the tokens that they created for agents of others. */
async function endTokensMintedBy(ctx: Context, team_id: number, user_id: number): Promise<void> {
  const ofOthers = ctx.tx
    .select({ actor_id: agents.actor_id })
    .from(agents)
    .where(and(eq(agents.team_id, team_id), ne(agents.owner_id, user_id)))
  await endCredentials(
    ctx,
    and(
      eq(credentials.kind, 'agent'),
      eq(credentials.minted_by, user_id),
      inArray(credentials.actor_id, ofOthers),
    ),
  )
}
