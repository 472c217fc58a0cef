import { Type as t } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { actors, Name } from '../../../identity/people/model/index.ts'
import { findTeam, lockTeam } from '../../../identity/teams/model/index.ts'
import { releaseAllOf } from '../../leases/model/index.ts'
import { changeRestrictions, emitAgent, restrictionsInput } from '../model/index.ts'
import {
  grantableScopes,
  refuseArchived,
  requireOwnerInTeam,
  requireScopesOf,
  requireVisibleBoards,
} from '../model/limits.ts'
import { agentDetail } from '../model/records.ts'
import { differences } from '../model/rules.ts'
import {
  AgentKind,
  AgentScopes,
  agentInput,
  ChangedAgent,
  Instructions,
  IssuedAgent,
  inTeam,
  ProjectIds,
} from '../model/schema.ts'
import {
  claimName,
  insertAgent,
  lockManagedAgent,
  type NamedAgent,
  setAgent,
} from '../model/store.ts'
import { issueToken } from '../model/tokens.ts'

export const create = operation({
  name: 'agents.create',
  summary: 'Create an agent; its token is shown only once',
  needs: 'agents:manage',
  creates: true,
  on: {
    rest: 'POST /api/v1/agents',
    mcp: 'svc_agents.create',
    cli: {
      usage: 'agents create <name>',
      example: 'Helper --scopes tasks:read,tasks:write --projects HOM',
    },
  },
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
    await lockTeam(ctx.tx, team_id)
    const name = input.name.trim()
    await claimName(ctx, 'name', { team_id, name })
    const scopes = grantableScopes(ctx, input.scopes)
    const project_ids = input.project_ids ?? null
    await requireVisibleBoards(ctx, team_id, project_ids ?? [])
    const owner_id = ctx.caller.person_id
    const { kind = 'external' } = input
    const instructions = checkedInstructions(kind, input.instructions)
    const draft = { team_id, owner_id, name, kind, scopes, project_ids, instructions }
    const agent = await insertAgent(ctx.tx, draft, ctx.now)
    const issued = kind === 'external' ? await issueToken(ctx, agent) : undefined
    emitAgent(ctx, 'created', agent, { kind, scopes, project_ids, ...issued?.changeData })
    return { ...(await agentDetail(ctx, agent)), ...issued?.response }
  },
})

export const update = operation({
  name: 'agents.update',
  summary: 'Change an agent from its next request on: access, instructions, budget, pause',
  needs: 'agents:manage',
  on: {
    rest: 'PATCH /api/v1/agents/:agent_id',
    cli: {
      usage: 'agents update <agent_id>',
      example: 'Bot --name Helper --scopes tasks:read,tasks:write',
    },
  },
  input: agentInput({
    name: t.Optional(Name),
    scopes: t.Optional(AgentScopes),
    project_ids: t.Optional(ProjectIds),
    instructions: t.Optional(Instructions),
    ...restrictionsInput,
  }),
  output: ChangedAgent,
  async run({ agent_id, ...input }, ctx) {
    const agent = await lockManagedAgent(ctx, agent_id)
    refuseArchived(agent)
    const name = input.name?.trim() ?? agent.name
    const { scopes = agent.scopes, project_ids = agent.project_ids } = input
    const instructions = checkedInstructions(agent.kind, input.instructions, agent.instructions)
    const { team_id, actor_id } = agent
    if (name !== agent.name) await claimName(ctx, 'name', { team_id, name, actor_id })
    // Scopes that the agent already has are not granted again.
    grantableScopes(
      ctx,
      scopes.filter((scope) => !agent.scopes.includes(scope)),
    )
    const added = project_ids?.filter((id) => !agent.project_ids?.includes(id))
    await requireVisibleBoards(ctx, team_id, added ?? [])
    const restrictions = changeRestrictions(ctx, agent, input)
    const changed = {
      ...differences<Partial<NamedAgent>>(agent, { name, scopes, project_ids }),
      ...instructionsChange(agent.instructions, instructions),
      ...restrictions.changed,
    }
    const set = { scopes, project_ids, instructions, ...restrictions.set }
    const after = { ...(await setAgent(ctx.tx, agent, set)), name }
    await ctx.tx.update(actors).set({ name }).where(eq(actors.actor_id, actor_id))
    // The pause is set first: a concurrent claim is then either released here or refused.
    if (after.paused_at && !agent.paused_at) await releaseAllOf(ctx, after)
    if (Object.keys(changed).length) emitAgent(ctx, 'updated', after, { changed })
    return { ...(await agentDetail(ctx, after)), changed: Object.keys(changed) }
  },
})

export const enable = operation({
  name: 'agents.enable',
  summary: 'Enable an agent; without a token it gets a new one, shown only once',
  needs: 'agents:manage',
  on: {
    rest: 'POST /api/v1/agents/:agent_id/enable',
    cli: { usage: 'agents enable <agent_id>', example: 'Bot' },
  },
  input: agentInput({}),
  output: IssuedAgent,
  async run({ agent_id }, ctx) {
    const before = await lockManagedAgent(ctx, agent_id)
    const detail = await agentDetail(ctx, before)
    const needsToken = before.kind === 'external' && !detail.hasMcpToken
    if (before.state === 'active' && !needsToken) return detail
    await requireOwnerInTeam(ctx, before)
    const { team_id, name, actor_id } = before
    if (before.state === 'archived') await claimName(ctx, 'name', { team_id, name, actor_id })
    if (needsToken) requireScopesOf(ctx, before)
    const agent = await setAgent(ctx.tx, before, { state: 'active' })
    const issued = needsToken ? await issueToken(ctx, agent) : undefined
    const changed = differences<Pick<NamedAgent, 'state'>>(before, { state: agent.state })
    emitAgent(ctx, 'enabled', agent, { changed, ...issued?.changeData })
    return { ...(await agentDetail(ctx, agent)), ...issued?.response }
  },
})

/**
 * Blank instructions count as none. Only native agents have instructions; an external agent gets
 * its own where it runs.
 */
function checkedInstructions(
  kind: NamedAgent['kind'],
  requested: string | null | undefined,
  before: string | null = null,
): string | null {
  if (requested === undefined) return before
  if (kind === 'native' || requested === null) return requested?.trim() || null
  throw fault.invalid(
    'instructions',
    'conflict',
    'instructions are for native agents, which Corkboard runs itself',
    undefined,
    'Leave them out, or create the agent with kind native',
  )
}

/**
 * The change log records only whether instructions existed: their text is for those who manage the
 * agent.
 */
const instructionsChange = (before: string | null, after: string | null) =>
  before === after ? {} : { instructions: { before: before !== null, after: after !== null } }
