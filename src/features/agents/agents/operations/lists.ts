import { Type as t } from '@sinclair/typebox'
import { and, eq, inArray } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { listInput, listOf, type Paging } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { actors } from '../../../identity/people/model/index.ts'
import { findTeam } from '../../../identity/teams/model/index.ts'
import { agentDetail, agentDetails, lastSeen, presenceOf } from '../model/records.ts'
import { AgentDetail, AgentState, agentInput, inTeam, PresenceRow } from '../model/schema.ts'
import { findAgent, type NamedAgent } from '../model/store.ts'
import { agents } from '../model/tables.ts'

export const list = operation({
  name: 'agents.list',
  summary: 'Agents of a team; archived ones only if state is archived',
  needs: 'teams:read',
  dependsOn: ['agent', 'credential', 'lease', 'run'],
  on: {
    rest: 'GET /api/v1/agents',
    mcp: 'svc_agents.list',
    cli: { usage: 'agents list [team_id]', example: '--state active' },
    chat: true,
  },
  input: listInput({ ...inTeam, state: t.Optional(AgentState) }, ['title', 'createdAt']),
  output: listOf(AgentDetail),
  async run(input, ctx) {
    const { found, page } = await pageOfAgents(ctx, input)
    return { items: await agentDetails(ctx, found), page }
  },
})

export const get = operation({
  name: 'agents.get',
  summary: 'One agent with its scopes, owner and presence',
  needs: 'teams:read',
  dependsOn: ['agent', 'credential', 'lease', 'run'],
  on: {
    rest: 'GET /api/v1/agents/:agent_id',
    cli: { usage: 'agents get <agent_id>', example: 'Bot' },
    chat: true,
  },
  input: agentInput({}),
  output: AgentDetail,
  run: async ({ agent_id }, ctx) => agentDetail(ctx, await findAgent(ctx, agent_id)),
})

export const presence = operation({
  name: 'agents.presence',
  summary: 'Agents of a team that called or listened in the last minute',
  needs: 'teams:read',
  dependsOn: ['agent', 'credential', 'lease', 'run'],
  on: {
    rest: 'GET /api/v1/agents/presence',
    mcp: 'svc_agents.presence',
    cli: { usage: 'agents presence [team_id]', example: '' },
    chat: true,
  },
  input: listInput(inTeam, ['title', 'createdAt']),
  output: listOf(PresenceRow),
  async run(input, ctx) {
    const { found, page } = await pageOfAgents(ctx, input)
    const times = await lastSeen(ctx, found)
    const items = found.map((agent) => ({
      agent_id: agent.agent_id,
      name: agent.name,
      state: agent.state as AgentState,
      ...presenceOf(ctx, agent, times),
    }))
    return { items, page }
  },
})

interface ListRequest extends Paging {
  team_id: number | string
  state?: AgentState
}

async function pageOfAgents(ctx: Context, { team_id: ref, state, ...paging }: ListRequest) {
  const { team_id } = await findTeam(ctx, ref)
  const states = state ? [state] : (['active', 'inactive'] as const)
  const teamAgents = ctx.tx
    .select({ actor_id: agents.actor_id })
    .from(agents)
    .where(and(eq(agents.team_id, team_id), inArray(agents.state, [...states])))
  const { rows, page } = await pageOf(ctx.tx, paging, {
    name: `agents of ${team_id} ${states}`,
    from: actors,
    columns: { actor_id: actors.actor_id, name: actors.name, created_at: actors.created_at },
    where: and(inArray(actors.actor_id, teamAgents), matchesSearch(paging, [actors.name])),
    sorts: { title: { key: actors.name }, createdAt: { key: actors.created_at } },
    id: 'actor_id',
  })
  return { found: await agentsInOrder(ctx, rows), page }
}

async function agentsInOrder(
  { tx }: Context,
  rows: readonly { actor_id: number; name: string }[],
): Promise<NamedAgent[]> {
  if (!rows.length) return []
  const ids = rows.map(({ actor_id }) => actor_id)
  const found = await tx.select().from(agents).where(inArray(agents.actor_id, ids))
  const byActor = new Map(found.map((agent) => [agent.actor_id, agent]))
  return rows.map(({ actor_id, name }) => ({ ...byActor.get(actor_id)!, name }))
}
