import { Type as t } from '@sinclair/typebox'
import { and, count, eq } from 'drizzle-orm'
import type { Context, Role, Tx } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { operation } from '../../kernel/operation.ts'
import { actorsOf, UserId } from '../people/index.ts'
import { projectMembers } from '../projects/index.ts'
import { findTeam, holdTeam, members, RoleName, roleOf, TeamRef } from '../teams/index.ts'
import { MemberReceipt } from './schema.ts'

export const setRole = operation({
  name: 'teams.set_role',
  summary: 'Change what a person of the team may do',
  needs: 'teams:manage',
  destroys: true,
  on: {
    rest: 'PATCH /api/v1/teams/:team_id/members/:user_id',
    cli: 'teams set-role <team_id> <user_id> <role>',
  },
  input: t.Object({ team_id: TeamRef, user_id: UserId, role: RoleName }),
  output: t.Object({ ...MemberReceipt.properties, role: RoleName, was: RoleName }),
  async run({ team_id: ref, user_id, role }, ctx) {
    const { team_id } = await findTeam(ctx, ref)
    const { name, role: was } = await findMember(ctx, team_id, user_id)
    if (role === 'owner' || was === 'owner') await refuseOthers(ctx, team_id)
    if (role !== 'owner') await keepOwner(ctx.tx, team_id, was)
    await ctx.tx.update(members).set({ role }).where(one(team_id, user_id))
    ctx.emit('member.updated', { team_id }, { user_id, role, was })
    return { team_id, user_id, name, role, was }
  },
})

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
  return { team_id, user_id, name }
}

const one = (team_id: number, actor_id: number) =>
  and(eq(members.team_id, team_id), eq(members.actor_id, actor_id))

async function findMember({ tx }: Context, team_id: number, user_id: number) {
  await holdTeam(tx, team_id)
  const role = await roleOf(tx, team_id, user_id)
  if (!role)
    throw fault.notFound(
      'user_id',
      `No person ${user_id} belongs to this team`,
      user_id,
      'List its people: GET /api/v1/teams/{team_id}/members',
    )
  return { role, name: (await actorsOf(tx, [user_id])).get(user_id)!.name }
}

function refuseOthers({ caller }: Context, team_id: number): void {
  if (caller.teams.get(team_id) !== 'owner')
    throw fault.forbidden(
      'Only an owner makes, unmakes or removes an owner',
      'Ask an owner of the team',
    )
}

/** A team without an owner could never be put in order again. */
async function keepOwner(tx: Tx, team_id: number, leaving: Role): Promise<void> {
  if (leaving !== 'owner') return
  const owners = and(eq(members.team_id, team_id), eq(members.role, 'owner'))
  const [row] = await tx.select({ many: count() }).from(members).where(owners)
  if (row!.many === 1)
    throw fault.conflict(
      'This is the only owner of the team, and a team must keep one',
      { field: 'user_id' },
      'Make somebody else an owner first',
    )
}
