import { type Static, Type as t } from '@sinclair/typebox'
import { Timestamp, UserId } from '../people/index.ts'
import { ProjectId } from '../projects/index.ts'
import { AGENT_SCOPES, TeamId } from '../teams/index.ts'

export const AgentScope = t.Union(AGENT_SCOPES.map((scope) => t.Literal(scope)))
export const ProjectIds = t.Union(
  [t.Array(ProjectId, { minItems: 1, maxItems: 200, uniqueItems: true }), t.Null()],
  { description: 'The boards it is confined to; null: all that its owner can see' },
)

export const CreatedAgent = t.Object(
  {
    agent_id: t.String({ description: 'UUID' }),
    name: t.String(),
    team_id: TeamId,
    owner_id: UserId,
    kind: t.Literal('external'),
    state: t.Literal('active'),
    scopes: t.Array(AgentScope),
    project_ids: ProjectIds,
    token: t.String({ description: 'Shown this once' }),
    hasMcpToken: t.Literal(true),
    /** Ready to be pasted into a client that speaks MCP over HTTP. */
    client_configuration: t.Object({
      type: t.Literal('http'),
      url: t.String(),
      headers: t.Object({ Authorization: t.String() }),
    }),
    created_at: Timestamp,
  },
  { secret: true },
)
export type CreatedAgent = Static<typeof CreatedAgent>
