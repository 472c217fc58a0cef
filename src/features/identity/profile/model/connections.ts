import { and, desc, eq, gt, inArray, isNull, ne, or } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { agentPresence, agents } from '../../../agents/agents/model/index.ts'
import { webhooks } from '../../../agents/webhooks/model/index.ts'
import { calendarFeeds } from '../../../time/calendar/model/index.ts'
import { credentials } from '../../credentials/model/index.ts'
import { actors } from '../../people/model/index.ts'
import type { Connection } from './schema.ts'

const MAX_CONNECTIONS = 50

/**
 * Everything that can reach the caller's account from outside: valid API keys and access tokens,
 * agents with their webhooks, and calendar feeds. The result contains no secrets. Of a webhook's
 * URL it has the host only, because the path may be a secret.
 */
export async function connectionsOf(ctx: Context) {
  const { kind, scopes } = ctx.caller
  const isPerson = kind === 'person'
  const connections = [
    ...(isPerson && scopes.has('keys:read') ? await keysOf(ctx) : []),
    ...(isPerson ? await agentsOf(ctx) : []),
    ...(await webhooksOf(ctx)),
    ...(isPerson ? await feedsOf(ctx) : []),
  ]
  return {
    connections: connections.slice(0, MAX_CONNECTIONS),
    more_connections: Math.max(0, connections.length - MAX_CONNECTIONS),
  }
}

const iso = (date: Date | null) => date?.toISOString() ?? null

async function keysOf({ tx, caller, now }: Context): Promise<Connection[]> {
  const { actor_id, revoked_at, expires_at, credential_id, kind } = credentials
  const inForce = and(
    eq(actor_id, caller.actor_id),
    inArray(kind, ['key', 'token']),
    isNull(revoked_at),
    or(isNull(expires_at), gt(expires_at, now)),
  )
  const rows = await tx.select().from(credentials).where(inForce).orderBy(desc(credential_id))
  return rows.map((row) => ({
    kind: row.kind === 'key' ? 'api_key' : 'access_token',
    id: String(row.credential_id),
    name: row.name,
    active: true,
    last_used_at: iso(row.last_used_at),
  }))
}

async function agentsOf({ tx, caller }: Context): Promise<Connection[]> {
  const rows = await tx
    .select({ agent: agents, name: actors.name, seen_at: agentPresence.seen_at })
    .from(agents)
    .innerJoin(actors, eq(actors.actor_id, agents.actor_id))
    .leftJoin(
      agentPresence,
      and(eq(agentPresence.team_id, agents.team_id), eq(agentPresence.actor_id, agents.actor_id)),
    )
    .where(and(ownAgents(caller.actor_id), inArray(agents.team_id, [...caller.teams.keys()])))
    .orderBy(actors.name)
  return rows.map(({ agent, name, seen_at }) => ({
    kind: 'agent',
    id: agent.agent_id,
    name,
    active: agent.state === 'active',
    last_used_at: iso(seen_at),
  }))
}

const ownAgents = (owner_id: number) =>
  and(eq(agents.owner_id, owner_id), ne(agents.state, 'deleted'))

/** For an agent, its own webhooks. For a person, those of their agents. */
async function webhooksOf({ tx, caller }: Context): Promise<Connection[]> {
  const { actor_id, kind, teams } = caller
  const ownership = kind === 'agent' ? eq(agents.actor_id, actor_id) : ownAgents(actor_id)
  const rows = await tx
    .select({ webhook: webhooks, agent_id: agents.agent_id })
    .from(webhooks)
    .innerJoin(agents, eq(agents.actor_id, webhooks.actor_id))
    .where(and(ownership, inArray(webhooks.team_id, [...teams.keys()])))
    .orderBy(webhooks.webhook_id)
  return rows.map(({ webhook, agent_id }) => ({
    kind: 'webhook',
    id: agent_id,
    name: new URL(webhook.url).host,
    active: webhook.active,
    last_used_at: iso(webhook.delivered_at),
  }))
}

async function feedsOf({ tx, caller }: Context): Promise<Connection[]> {
  const rows = await tx
    .select()
    .from(calendarFeeds)
    .where(eq(calendarFeeds.actor_id, caller.actor_id))
    .orderBy(calendarFeeds.title)
  return rows.map(({ feed_id, title, last_read_at }) => ({
    kind: 'calendar_feed',
    id: feed_id,
    name: title,
    active: true,
    last_used_at: iso(last_read_at),
  }))
}
