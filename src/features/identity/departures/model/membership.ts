import { and, eq, inArray, ne } from 'drizzle-orm'
import type { Role, WriteContext } from '../../../../kernel/caller.ts'
import { agents } from '../../../agents/agents/model/index.ts'
import { projectMembers } from '../../../boards/projects/model/index.ts'
import { credentials } from '../../credentials/model/index.ts'
import { members } from '../../teams/model/index.ts'
import { revokeCredentials } from './revocation.ts'

export interface Leaving {
  team_id: number
  user_id: number
  /** The role that the person had. */
  role: Role
}

/** Removes a person from a team and its boards. The caller checks that an owner remains. */
export async function removeMember(ctx: WriteContext, { team_id, user_id, role }: Leaving) {
  const onBoards = and(eq(projectMembers.team_id, team_id), eq(projectMembers.actor_id, user_id))
  await ctx.tx.delete(projectMembers).where(onBoards)
  const membership = and(eq(members.team_id, team_id), eq(members.actor_id, user_id))
  await ctx.tx.delete(members).where(membership)
  ctx.emit('member.removed', { team_id }, { user_id, role })
  await revokeTokensMintedBy(ctx, team_id, user_id)
}

/** A leaving member knows the tokens they created for other people's agents, so these are revoked. */
async function revokeTokensMintedBy(ctx: WriteContext, team_id: number, user_id: number) {
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
