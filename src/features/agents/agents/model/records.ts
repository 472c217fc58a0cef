import { and, eq, inArray } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { costsOf } from './costs.ts'
import { visibleBoardsAmong } from './limits.ts'
import { showRestrictions } from './restrictions.ts'
import { isPresent } from './rules.ts'
import type { AgentDetail } from './schema.ts'
import { manages, type NamedAgent } from './store.ts'
import { agentPresence, webhooks } from './tables.ts'
import { withToken } from './tokens.ts'

/** The public details of agents of one team, without tokens. */
export async function agentDetails(
  ctx: Context,
  agents: readonly NamedAgent[],
): Promise<AgentDetail[]> {
  const [first] = agents
  if (!first) return []
  const boards = agents.flatMap(({ project_ids }) => project_ids ?? [])
  const visible = await visibleBoardsAmong(ctx, first.team_id, [...new Set(boards)])
  const tokens = await withToken(ctx, agents)
  const withWebhooks = await withWebhook(ctx, agents)
  const times = await lastSeen(ctx, agents)
  const restrictions = await restrictionsOf(ctx, agents)
  return agents.map((agent, at) => ({
    agent_id: agent.agent_id,
    name: agent.name,
    team_id: agent.team_id,
    owner_id: agent.owner_id,
    kind: agent.kind,
    state: agent.state as AgentDetail['state'],
    bot: true,
    scopes: agent.scopes as AgentDetail['scopes'],
    project_ids: agent.project_ids?.filter((id) => visible.has(id)) ?? null,
    hasMcpToken: tokens.has(agent.actor_id),
    webhook: withWebhooks.has(agent.actor_id),
    ...presenceOf(ctx, agent, times),
    created_at: agent.created_at.toISOString(),
    ...restrictions[at]!,
  }))
}

export async function agentDetail(ctx: Context, agent: NamedAgent): Promise<AgentDetail> {
  const [detail] = await agentDetails(ctx, [agent])
  const { kind, instructions } = agent
  return { ...detail!, ...(kind === 'native' && manages(ctx, agent) && { instructions }) }
}

/** The budget, its use and the pause of each agent. All must be of one team. */
async function restrictionsOf({ tx, now }: Context, agents: readonly NamedAgent[]) {
  const ids = agents.map(({ actor_id }) => actor_id)
  const costs = await costsOf(tx, 'agent', { team_id: agents[0]!.team_id, ids }, now)
  return showRestrictions(
    tx,
    agents,
    ids.map((id) => costs.get(id)),
  )
}

/** The agents among these that have a webhook. All must be of one team. */
async function withWebhook({ tx }: Context, agents: readonly NamedAgent[]): Promise<Set<number>> {
  const ids = agents.map(({ actor_id }) => actor_id)
  const { actor_id, team_id } = webhooks
  const rows = await tx
    .select({ actor_id })
    .from(webhooks)
    .where(and(eq(team_id, agents[0]!.team_id), inArray(actor_id, ids)))
  return new Set(rows.map((row) => row.actor_id))
}

/** When each agent was last seen. All must be of one team. */
export async function lastSeen({ tx }: Context, agents: readonly NamedAgent[]) {
  const [first] = agents
  if (!first) return new Map<number, Date>()
  const ids = agents.map(({ actor_id }) => actor_id)
  const rows = await tx
    .select()
    .from(agentPresence)
    .where(and(eq(agentPresence.team_id, first.team_id), inArray(agentPresence.actor_id, ids)))
  return new Map(rows.map(({ actor_id, seen_at }) => [actor_id, seen_at]))
}

export function presenceOf(ctx: Context, agent: NamedAgent, times: Map<number, Date>) {
  const { now, caller } = ctx
  // The caller is present, even if that has not been written yet.
  const seen_at = agent.actor_id === caller.actor_id ? now : times.get(agent.actor_id)
  return {
    present: isPresent(agent.state, seen_at, now),
    last_seen_at: seen_at?.toISOString() ?? null,
  }
}
