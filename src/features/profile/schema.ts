import { type Static, Type as t } from '@sinclair/typebox'
import { Name, UserId } from '../people/index.ts'
import { ProjectId } from '../projects/index.ts'
import { RoleName, TeamId } from '../teams/index.ts'

const orNull = <T extends ReturnType<typeof t.String> | typeof ProjectId>(type: T) =>
  t.Union([type, t.Null()])
const kind = t.Union([t.Literal('person'), t.Literal('agent')])
const more_boards = t.Integer({ description: 'Boards beyond these; svc_projects list has all' })

/** The first thing a model reads, so it is kept small: every field costs tokens. */
export const Hello = t.Object({
  you: t.Object({
    kind,
    user_id: t.Optional(UserId),
    agent_id: t.Optional(t.String()),
    name: t.String(),
    owner_id: t.Optional(UserId),
  }),
  teams: t.Array(t.Object({ team_id: TeamId, name: t.String(), role: RoleName })),
  boards: t.Array(t.Object({ project_id: ProjectId, title: t.String() })),
  more_teams: t.Optional(t.Integer()),
  more_boards: t.Optional(more_boards),
  may: t.String({ description: 'Scopes, parted by blanks' }),
  start: t.String(),
  schema_version: t.String(),
})
export type Hello = Static<typeof Hello>

export const Profile = t.Object({
  kind,
  user_id: t.Optional(UserId),
  agent_id: t.Optional(t.String({ description: 'UUID' })),
  display_name: t.String(),
  avatar: orNull(t.String()),
  time_zone: t.String({ description: 'IANA name' }),
  email: t.Optional(t.String()),
  locale: t.Optional(t.String({ description: 'BCP 47' })),
  default_board: t.Optional(orNull(ProjectId)),
  owner_id: t.Optional(UserId),
})
export type Profile = Static<typeof Profile>

export const Connection = t.Object({
  kind: t.Union(
    (['api_key', 'access_token', 'agent', 'webhook', 'calendar_feed'] as const).map((kind) =>
      t.Literal(kind),
    ),
  ),
  id: t.String({ description: 'Of a key or token its number, of a webhook the UUID of its agent' }),
  name: t.String({ description: 'Of a webhook the host that it calls' }),
  active: t.Boolean(),
  last_used_at: orNull(t.String({ description: 'When it was last used, seen, reached or read' })),
})
export type Connection = Static<typeof Connection>

export const UserContext = t.Object({
  profile: Profile,
  teams: t.Array(
    t.Object({ team_id: TeamId, team_uuid: t.String(), name: t.String(), role: RoleName }),
  ),
  boards: t.Array(
    t.Object({ project_id: ProjectId, key: t.String(), title: t.String(), team_id: TeamId }),
  ),
  has_more: t.Boolean({ description: 'Whether there are boards beyond these' }),
  more_boards,
  permissions: t.Array(t.String()),
  credential: t.String({ description: 'key, token, agent or session' }),
  connections: t.Array(Connection, { description: 'What reaches your account, at most 50' }),
  more_connections: t.Integer(),
  server: t.Object({
    url: t.String(),
    mcp_url: t.String(),
    time_zone: t.String(),
    version: t.String(),
    schema_version: t.String(),
    seq: t.Integer({ description: 'The place in the change log that this was read at' }),
  }),
})
export type UserContext = Static<typeof UserContext>

export const Changes = t.Object({
  display_name: t.Optional(Name),
  avatar: t.Optional(
    t.Union([t.String({ minLength: 1, maxLength: 2000 }), t.Null()], {
      description: 'https address of a picture; null removes it',
    }),
  ),
  time_zone: t.Optional(
    t.String({ minLength: 1, maxLength: 64, description: 'IANA name, such as Europe/Berlin' }),
  ),
  locale: t.Optional(
    t.String({ minLength: 1, maxLength: 64, description: 'BCP 47 tag, such as en or pt-BR' }),
  ),
  default_board: t.Optional(
    t.Union([ProjectId, t.Null()], {
      description: 'Board that quick-add goes to; null for none',
    }),
  ),
})
export type Changes = Static<typeof Changes>
