import { and, eq, inArray, type SQL } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { agents } from '../../../agents/agents/model/index.ts'
import { members } from '../../../identity/teams/model/index.ts'
import { notifications } from '../../notifications/model/index.ts'

interface InboxOwner {
  user_id?: number
  agent_id?: string
}

/**
 * Selects the notifications of the requested inbox. Allowed are the caller's own, those of their
 * agents, and those of people and agents in teams that they manage.
 */
export async function inboxCondition(
  ctx: Context,
  { user_id, agent_id }: InboxOwner,
): Promise<SQL | undefined> {
  const { caller } = ctx
  if (user_id !== undefined && agent_id !== undefined)
    throw fault.invalid('agent_id', 'conflict', 'Name one inbox: send either user_id or agent_id')
  const isOwn =
    (user_id === undefined && agent_id === undefined) ||
    (caller.kind === 'person' && user_id === caller.actor_id) ||
    (caller.kind === 'agent' && (agent_id === 'self' || agent_id === caller.agent_id))
  if (isOwn) return eq(notifications.actor_id, caller.actor_id)
  if (caller.kind === 'agent') throw inboxNotFound(user_id, agent_id)
  return user_id === undefined ? agentInbox(ctx, agent_id!) : memberInbox(ctx, user_id)
}

const managedTeamIds = ({ caller }: Context): number[] =>
  [...caller.teams]
    .filter(([, role]) => role === 'owner' || role === 'admin')
    .map(([team_id]) => team_id)

async function agentInbox(ctx: Context, agent_id: string): Promise<SQL> {
  const byId = eq(agents.agent_id, agent_id.toLowerCase())
  const [agent] = await ctx.tx.select().from(agents).where(byId)
  const isAccessible =
    agent &&
    agent.state !== 'deleted' &&
    (agent.owner_id === ctx.caller.actor_id || managedTeamIds(ctx).includes(agent.team_id))
  if (!isAccessible) throw inboxNotFound(undefined, agent_id)
  return eq(notifications.actor_id, agent.actor_id)
}

/** Limits the inbox of another person to the teams that the caller manages. */
async function memberInbox(ctx: Context, user_id: number): Promise<SQL | undefined> {
  const inManagedTeams = and(
    eq(members.actor_id, user_id),
    inArray(members.team_id, managedTeamIds(ctx)),
  )
  const rows = await ctx.tx.select({ team_id: members.team_id }).from(members).where(inManagedTeams)
  if (!rows.length) throw inboxNotFound(user_id, undefined)
  return and(
    eq(notifications.actor_id, user_id),
    inArray(
      notifications.team_id,
      rows.map(({ team_id }) => team_id),
    ),
  )
}

const inboxNotFound = (user_id: number | undefined, agent_id: string | undefined) =>
  fault.notFound(
    user_id === undefined ? 'agent_id' : 'user_id',
    `There is no inbox of ${user_id ?? agent_id} that you can see`,
    user_id ?? agent_id,
    'You can see your own inbox, those of your agents and, as an owner or admin, those of people in your team',
  )
