import { Type as t } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import type { Writer } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { operation } from '../../kernel/operation.ts'
import { actors, Name } from '../people/index.ts'
import { findTeam, holdTeam } from '../teams/index.ts'
import { heritable, mayHold, refuseArchived, refuseOrphan, refuseUnseen } from './limits.ts'
import { differences } from './rules.ts'
import {
  AgentKind,
  AgentScopes,
  ChangedAgent,
  Instructions,
  IssuedAgent,
  inTeam,
  named,
  ProjectIds,
} from './schema.ts'
import { shownAgent } from './shown.ts'
import { claimName, findManaged, insertAgent, type NamedAgent, setAgent } from './store.ts'
import { issueToken } from './tokens.ts'

export const create = operation({
  name: 'agents.create',
  summary: 'Create an agent of your own; its token is shown this once',
  needs: 'agents:manage',
  on: { rest: 'POST /api/v1/agents', mcp: 'svc_agents.create', cli: 'agents create <name>' },
  input: t.Object({
    name: Name,
    ...inTeam,
    scopes: t.Optional(AgentScopes),
    project_ids: t.Optional(ProjectIds),
    kind: t.Optional(AgentKind),
    instructions: t.Optional(Instructions),
  }),
  output: IssuedAgent,
  async run(input, ctx) {
    const { team_id } = await findTeam(ctx, input.team_id)
    await holdTeam(ctx.tx, team_id)
    const name = input.name.trim()
    await claimName(ctx, 'name', { team_id, name })
    const scopes = heritable(ctx, input.scopes)
    const project_ids = input.project_ids ?? null
    await refuseUnseen(ctx, team_id, project_ids ?? [])
    const owner_id = ctx.caller.person_id
    const { kind = 'external' } = input
    const instructions = instructed(kind, input.instructions)
    const draft = { team_id, owner_id, name, kind, scopes, project_ids, instructions }
    const agent = await insertAgent(ctx.tx, draft, ctx.now)
    const issued = kind === 'external' ? await issueToken(ctx, agent) : undefined
    tell(ctx, 'created', agent, { kind, scopes, project_ids, ...issued?.told })
    return { ...(await shownAgent(ctx, agent)), ...issued?.shown }
  },
})

export const update = operation({
  name: 'agents.update',
  summary: 'Change an agent, from its next request on: name, scopes, boards, instructions',
  needs: 'agents:manage',
  on: { rest: 'PATCH /api/v1/agents/:agent_id', cli: 'agents update <agent_id>' },
  input: named({
    name: t.Optional(Name),
    scopes: t.Optional(AgentScopes),
    project_ids: t.Optional(ProjectIds),
    instructions: t.Optional(Instructions),
  }),
  output: ChangedAgent,
  async run({ agent_id, ...input }, ctx) {
    const agent = await findManaged(ctx, agent_id)
    refuseArchived(agent)
    const name = input.name?.trim() ?? agent.name
    const { scopes = agent.scopes, project_ids = agent.project_ids } = input
    const instructions = instructed(agent.kind, input.instructions, agent.instructions)
    const { team_id, actor_id } = agent
    if (name !== agent.name) await claimName(ctx, 'name', { team_id, name, actor_id })
    // What it has already is not given to it again.
    heritable(
      ctx,
      scopes.filter((scope) => !agent.scopes.includes(scope)),
    )
    const added = project_ids?.filter((id) => !agent.project_ids?.includes(id))
    await refuseUnseen(ctx, team_id, added ?? [])
    const changed = {
      ...differences<Partial<NamedAgent>>(agent, { name, scopes, project_ids }),
      ...reworded(agent.instructions, instructions),
    }
    const set = { scopes, project_ids, instructions }
    const after = { ...(await setAgent(ctx.tx, agent, set)), name }
    await ctx.tx.update(actors).set({ name }).where(eq(actors.actor_id, actor_id))
    if (Object.keys(changed).length) tell(ctx, 'updated', after, { changed })
    return { ...(await shownAgent(ctx, after)), changed: Object.keys(changed) }
  },
})

export const enable = operation({
  name: 'agents.enable',
  summary: 'Let an agent work again; one without a token gets a new one, shown this once',
  needs: 'agents:manage',
  on: { rest: 'POST /api/v1/agents/:agent_id/enable', cli: 'agents enable <agent_id>' },
  input: named({}),
  output: IssuedAgent,
  async run({ agent_id }, ctx) {
    const before = await findManaged(ctx, agent_id)
    const shown = await shownAgent(ctx, before)
    const lacks = before.kind === 'external' && !shown.hasMcpToken
    if (before.state === 'active' && !lacks) return shown
    await refuseOrphan(ctx, before)
    const { team_id, name, actor_id } = before
    if (before.state === 'archived') await claimName(ctx, 'name', { team_id, name, actor_id })
    if (lacks) mayHold(ctx, before)
    const agent = await setAgent(ctx.tx, before, { state: 'active' })
    const issued = lacks ? await issueToken(ctx, agent) : undefined
    const changed = differences<Pick<NamedAgent, 'state'>>(before, { state: agent.state })
    tell(ctx, 'enabled', agent, { changed, ...issued?.told })
    return { ...(await shownAgent(ctx, agent)), ...issued?.shown }
  },
})

/** Blank ones are none. Whoever connects with a token is instructed where it runs. */
function instructed(
  kind: NamedAgent['kind'],
  asked: string | null | undefined,
  before: string | null = null,
): string | null {
  if (asked === undefined) return before
  if (kind === 'native' || asked === null) return asked?.trim() || null
  throw fault.invalid(
    'instructions',
    'conflict',
    'instructions are for native agents, which Corkboard runs itself',
    undefined,
    'Leave them out, or create the agent with kind native',
  )
}

/** The log says whether there were and are some; the words are for those who manage the agent. */
const reworded = (before: string | null, after: string | null) =>
  before === after ? {} : { instructions: { before: before !== null, after: after !== null } }

/** What happened to an agent; whose it is makes it their business. */
export function tell(
  ctx: Pick<Writer, 'emit'>,
  what: string,
  { team_id, agent_id, name, owner_id }: NamedAgent,
  more: Record<string, unknown>,
) {
  ctx.emit(`agent.${what}`, { team_id }, { agent_id, name, owner_id, ...more })
}
