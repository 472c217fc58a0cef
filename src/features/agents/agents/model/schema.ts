import { type Static, type TProperties, Type as t } from '@sinclair/typebox'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { Timestamp, UserId } from '../../../identity/people/model/index.ts'
import { AGENT_SCOPES, TeamId, TeamRef } from '../../../identity/teams/model/index.ts'
import { restrictionsOutput } from './restrictions.ts'

export const AgentScope = t.Union(AGENT_SCOPES.map((scope) => t.Literal(scope)))
export const AgentScopes = t.Array(AgentScope, {
  minItems: 1,
  maxItems: AGENT_SCOPES.length,
  uniqueItems: true,
  description: 'Scopes; default: all of yours except projects:instruct',
})
export const ProjectIds = t.Union(
  [t.Array(ProjectId, { minItems: 1, maxItems: 200, uniqueItems: true }), t.Null()],
  { description: 'Boards it is limited to; null: all boards its owner can see' },
)

/** A reference to an agent in a path or input. */
export const AgentRef = t.String({
  minLength: 1,
  maxLength: 36,
  description: 'UUID of an agent; self with its own token',
})
export const AgentKind = t.Union([t.Literal('external'), t.Literal('native')], {
  description: 'external has its own token; native is run by Corkboard and has none',
})
export const AgentId = t.String({ description: 'UUID' })
export const Instructions = t.Union([t.String({ maxLength: 10_000 }), t.Null()], {
  description: 'Instructions for a native agent; null clears them',
})

/** The states that the API shows. A deleted agent appears only as the author of past activity. */
export const AgentState = t.Union([
  t.Literal('active'),
  t.Literal('inactive'),
  t.Literal('archived'),
])
export type AgentState = Static<typeof AgentState>

const detail = {
  agent_id: AgentId,
  name: t.String(),
  team_id: TeamId,
  owner_id: UserId,
  kind: AgentKind,
  state: AgentState,
  bot: t.Literal(true),
  scopes: t.Array(AgentScope),
  project_ids: t.Union([t.Array(ProjectId), t.Null()], {
    description: 'Boards it is limited to, as far as you can see them; null: not limited',
  }),
  hasMcpToken: t.Boolean(),
  webhook: t.Boolean({ description: 'Whether it has a webhook' }),
  present: t.Boolean(),
  last_seen_at: t.Union([Timestamp, t.Null()]),
  created_at: Timestamp,
  ...restrictionsOutput,
  instructions: t.Optional(
    t.Union([t.String(), t.Null()], {
      description: 'Only for a single native agent, and only for those who manage it',
    }),
  ),
}

export const AgentDetail = t.Object(detail, {
  columns: ['agent_id', 'name', 'owner_id', 'kind', 'state', 'paused', 'present'],
  omits: { team_id: 'the call names it', bot: 'it is always true' },
})
export type AgentDetail = Static<typeof AgentDetail>

export const ChangedAgent = t.Object({ ...detail, changed: t.Array(t.String()) })

/** With the new token, if one was created; it is shown only once. */
export const IssuedAgent = t.Object(
  {
    ...detail,
    token: t.Optional(t.String({ description: 'Shown only once' })),
    token_expires_at: t.Optional(
      t.Union([Timestamp, t.Null()], {
        description: 'Expires with the key or token that created it; null: valid until revoked',
      }),
    ),
    /** To paste into an MCP client that uses HTTP. */
    client_configuration: t.Optional(
      t.Object({
        type: t.Literal('http'),
        url: t.String(),
        headers: t.Object({ Authorization: t.String() }),
      }),
    ),
  },
  { secret: true },
)
export type IssuedAgent = Static<typeof IssuedAgent>

export const PresenceRow = t.Object(
  {
    agent_id: AgentId,
    name: t.String(),
    state: AgentState,
    present: t.Boolean(),
    last_seen_at: t.Union([Timestamp, t.Null()]),
  },
  { columns: ['agent_id', 'name', 'present', 'last_seen_at'] },
)

export const agentInput = <P extends TProperties>(fields: P) =>
  t.Object({ agent_id: AgentRef, ...fields })
export const inTeam = { team_id: TeamRef }
