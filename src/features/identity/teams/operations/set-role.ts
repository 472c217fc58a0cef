import { Type as t } from '@sinclair/typebox'
import { and, count, eq } from 'drizzle-orm'
import type { Context, Role, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { MemberReceipt } from '../../members/model/index.ts'
import { actorsOf, emailOf, UserId } from '../../people/model/index.ts'
import { requireMayJoin } from '../../team_policy/model/index.ts'
import { findTeam, lockTeam, members, RoleName, roleOf, TeamRef } from '../model/index.ts'

export const setRole = operation({
  name: 'teams.set_role',
  summary: 'Change the role of a person in a team',
  needs: 'teams:manage',
  destroys: true,
  on: {
    rest: 'PATCH /api/v1/teams/:team_id/members/:user_id',
    cli: { usage: 'teams set-role <team_id> <user_id> <role>', example: '1 Cleo admin' },
  },
  input: t.Object({ team_id: TeamRef, user_id: UserId, role: RoleName }),
  output: t.Object({ ...MemberReceipt.properties, role: RoleName, was: RoleName }),
  async run({ team_id: ref, user_id, role }, ctx) {
    const { team_id } = await findTeam(ctx, ref)
    const { name, role: was } = await findMember(ctx, team_id, user_id)
    if (role === 'owner' || was === 'owner') await requireOwner(ctx, team_id)
    if (role !== 'owner') await requireRemainingOwner(ctx.tx, team_id, was)
    // A guest who becomes a member joins, and so does the opposite.
    if ((role === 'guest') !== (was === 'guest'))
      await requireMayJoin(ctx.tx, team_id, { email: await emailOf(ctx.tx, user_id), role })
    await ctx.tx.update(members).set({ role }).where(membership(team_id, user_id))
    ctx.emit('member.updated', { team_id }, { user_id, role, was })
    return { team_id, user_id, name, role, was }
  },
})

export const membership = (team_id: number, actor_id: number) =>
  and(eq(members.team_id, team_id), eq(members.actor_id, actor_id))

export async function findMember({ tx }: Context, team_id: number, user_id: number) {
  await lockTeam(tx, team_id)
  const role = await roleOf(tx, team_id, user_id)
  if (!role)
    throw fault.notFound(
      'user_id',
      `Person ${user_id} is not in this team`,
      user_id,
      'List its people: GET /api/v1/teams/{team_id}/members',
    )
  return { role, name: (await actorsOf(tx, [user_id])).get(user_id)!.name }
}

export function requireOwner({ caller }: Context, team_id: number): void {
  if (caller.teams.get(team_id) !== 'owner')
    throw fault.forbidden(
      'Only an owner can add, demote or remove an owner',
      'Ask an owner of the team',
    )
}

/** A team must keep an owner, because only owners can make other owners. */
export async function requireRemainingOwner(tx: Tx, team_id: number, leaving: Role): Promise<void> {
  if (leaving !== 'owner') return
  const owners = and(eq(members.team_id, team_id), eq(members.role, 'owner'))
  const [row] = await tx.select({ total: count() }).from(members).where(owners)
  if (row!.total === 1)
    throw fault.conflict(
      'This is the only owner of the team, and a team needs at least one',
      { field: 'user_id' },
      'Make somebody else an owner first',
    )
}
