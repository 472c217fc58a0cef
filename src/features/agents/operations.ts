import { Type as t } from '@sinclair/typebox'
import { and, eq, inArray } from 'drizzle-orm'
import type { Context, Scope } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { operation } from '../../kernel/operation.ts'
import { keepCredential, newSecret } from '../credentials/index.ts'
import { Name } from '../people/index.ts'
import { projects, visibleProjects } from '../projects/index.ts'
import { AGENT_SCOPES, findTeam, holdTeam, TeamRef } from '../teams/index.ts'
import { AgentScope, CreatedAgent, ProjectIds } from './schema.ts'
import { type Agent, claimName, insertAgent } from './store.ts'

export const create = operation({
  name: 'agents.create',
  summary: 'Create an agent of your own; its token is shown this once',
  needs: 'agents:manage',
  on: { rest: 'POST /api/v1/agents', cli: 'agents create <name>' },
  input: t.Object({
    name: Name,
    team_id: TeamRef,
    scopes: t.Optional(
      t.Array(AgentScope, {
        minItems: 1,
        maxItems: AGENT_SCOPES.length,
        uniqueItems: true,
        description: 'What it may do; left out: all that an agent of yours may',
      }),
    ),
    project_ids: t.Optional(ProjectIds),
    kind: t.Optional(t.Literal('external')),
  }),
  output: CreatedAgent,
  async run(input, ctx) {
    const { team_id } = await findTeam(ctx, input.team_id)
    await holdTeam(ctx.tx, team_id)
    const name = input.name.trim()
    await claimName(ctx, 'name', { team_id, name })
    const scopes = heritable(ctx, input.scopes)
    const project_ids = input.project_ids ?? null
    if (project_ids) await refuseUnseen(ctx, team_id, project_ids)
    const owner_id = ctx.caller.person_id
    const draft = { team_id, owner_id, name, scopes, project_ids }
    const agent = await insertAgent(ctx.tx, draft, ctx.now)
    const token = newSecret('agent')
    await keepCredential(
      ctx.tx,
      {
        kind: 'agent',
        actor_id: agent.actor_id,
        name,
        secret: token,
        scopes: null,
        expires_at: null,
      },
      ctx.now,
    )
    ctx.emit('agent.created', { team_id }, { agent_id: agent.agent_id, name, owner_id })
    return shownOnce(ctx, agent, name, token)
  },
})

/** An agent is given no more than the credential that makes it may do. */
function heritable({ caller }: Context, asked: Scope[] | undefined): Scope[] {
  const own = AGENT_SCOPES.filter((scope) => caller.scopes.has(scope))
  const beyond = asked?.find((scope) => !own.includes(scope))
  if (beyond)
    throw fault.invalid(
      'scopes',
      'out_of_range',
      `You may not do ${beyond} yourself, so an agent of yours may not either`,
      beyond,
      `It may have ${own.join(', ') || 'nothing'}`,
    )
  return asked ?? own
}

async function refuseUnseen(ctx: Context, team_id: number, ids: number[]): Promise<void> {
  const rows = await ctx.tx
    .select({ project_id: projects.project_id })
    .from(projects)
    .where(
      and(visibleProjects(ctx), eq(projects.team_id, team_id), inArray(projects.project_id, ids)),
    )
  const seen = new Set(rows.map(({ project_id }) => project_id))
  const unseen = ids.find((id) => !seen.has(id))
  if (unseen !== undefined)
    throw fault.invalid(
      'project_ids',
      'not_found',
      `There is no board ${unseen} in this team that you can see`,
      unseen,
      'List your boards: GET /api/v1/projects',
    )
}

function shownOnce({ server }: Context, agent: Agent, name: string, token: string): CreatedAgent {
  return {
    agent_id: agent.agent_id,
    name,
    team_id: agent.team_id,
    owner_id: agent.owner_id,
    kind: 'external',
    state: 'active',
    scopes: agent.scopes as CreatedAgent['scopes'],
    project_ids: agent.project_ids,
    token,
    hasMcpToken: true,
    client_configuration: {
      type: 'http',
      url: `${server.url}/mcp`,
      headers: { Authorization: `Bearer ${token}` },
    },
    created_at: agent.created_at.toISOString(),
  }
}
