import { and, eq, inArray, type SQL } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { agents } from '../agents/index.ts'
import { notifications } from '../notifications/index.ts'
import { members } from '../teams/index.ts'

interface Named {
  user_id?: number
  agent_id?: string
}

/** One's own inbox, that of an agent of one's own, or of somebody in a team that one manages. */
export async function inboxOf(
  ctx: Context,
  { user_id, agent_id }: Named,
): Promise<SQL | undefined> {
  const { caller } = ctx
  if (user_id !== undefined && agent_id !== undefined)
    throw fault.invalid('agent_id', 'conflict', 'Name one inbox: by user_id or by agent_id')
  const isOwn =
    (user_id === undefined && agent_id === undefined) ||
    (caller.kind === 'person' && user_id === caller.actor_id) ||
    (caller.kind === 'agent' && (agent_id === 'self' || agent_id === caller.agent_id))
  if (isOwn) return eq(notifications.actor_id, caller.actor_id)
  if (caller.kind === 'agent') throw closed(user_id, agent_id)
  return user_id === undefined ? ofAgent(ctx, agent_id!) : ofMember(ctx, user_id)
}

const managed = ({ caller }: Context): number[] =>
  [...caller.teams]
    .filter(([, role]) => role === 'owner' || role === 'admin')
    .map(([team_id]) => team_id)

async function ofAgent(ctx: Context, agent_id: string): Promise<SQL> {
  const one = eq(agents.agent_id, agent_id.toLowerCase())
  const [agent] = await ctx.tx.select().from(agents).where(one)
  const isOurs =
    agent &&
    agent.state !== 'deleted' &&
    (agent.owner_id === ctx.caller.actor_id || managed(ctx).includes(agent.team_id))
  if (!isOurs) throw closed(undefined, agent_id)
  return eq(notifications.actor_id, agent.actor_id)
}

/** Of what somebody has, what belongs to the teams that the caller manages. */
async function ofMember(ctx: Context, user_id: number): Promise<SQL | undefined> {
  const both = and(eq(members.actor_id, user_id), inArray(members.team_id, managed(ctx)))
  const rows = await ctx.tx.select({ team_id: members.team_id }).from(members).where(both)
  if (!rows.length) throw closed(user_id, undefined)
  return and(
    eq(notifications.actor_id, user_id),
    inArray(
      notifications.team_id,
      rows.map(({ team_id }) => team_id),
    ),
  )
}

const closed = (user_id: number | undefined, agent_id: string | undefined) =>
  fault.notFound(
    user_id === undefined ? 'agent_id' : 'user_id',
    `There is no inbox of ${user_id ?? agent_id} that you may look into`,
    user_id ?? agent_id,
    'Besides your own: those of your agents and, as an owner or admin, of people in your team',
  )
