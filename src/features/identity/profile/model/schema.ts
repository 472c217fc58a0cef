import { type Static, Type as t } from '@sinclair/typebox'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { Name, UserId } from '../../people/model/index.ts'
import { RoleName, TeamId } from '../../teams/model/index.ts'

const orNull = <T extends ReturnType<typeof t.String> | typeof ProjectId>(type: T) =>
  t.Union([type, t.Null()])
const kind = t.Union([t.Literal('person'), t.Literal('agent')])
const more_boards = t.Integer({
  description: 'Number of further boards; svc_projects list returns all',
})

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
  may: t.String({ description: 'Scopes, separated by spaces' }),
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
  locale: t.Optional(t.String({ description: 'BCP 47 tag, or auto' })),
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
  id: t.String({ description: 'Id of the key or token; for a webhook, the UUID of its agent' }),
  name: t.String({ description: 'For a webhook, the host it sends to' }),
  active: t.Boolean(),
  last_used_at: orNull(t.String({ description: 'When it was last used' })),
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
  has_more: t.Boolean({ description: 'Whether there are more boards' }),
  more_boards,
  teams_requiring_second_factor: t.Optional(
    t.Array(t.Object({ team_id: TeamId, name: t.String() }), {
      description: 'Your teams that you can use only with a second factor, which you lack',
    }),
  ),
  permissions: t.Array(t.String()),
  credential: t.String({ description: 'key, token, agent, session or access' }),
  connections: t.Array(Connection, { description: 'What has access to your account, at most 50' }),
  more_connections: t.Integer(),
  server: t.Object({
    url: t.String(),
    mcp_url: t.String(),
    time_zone: t.String(),
    version: t.String(),
    schema_version: t.String(),
    seq: t.Integer({ description: 'Position in the change log at the time of reading' }),
  }),
})
export type UserContext = Static<typeof UserContext>

export const Changes = t.Object({
  display_name: t.Optional(Name),
  avatar: t.Optional(
    t.Union([t.String({ minLength: 1, maxLength: 2000 }), t.Null()], {
      description: 'https URL of an image; null removes it',
    }),
  ),
  time_zone: t.Optional(
    t.String({ minLength: 1, maxLength: 64, description: 'IANA name, such as Europe/Berlin' }),
  ),
  locale: t.Optional(
    t.String({ minLength: 1, maxLength: 64, description: 'BCP 47 tag, such as pt-BR, or auto' }),
  ),
  default_board: t.Optional(
    t.Union([ProjectId, t.Null()], {
      description: 'Default board for quick-add; null for none',
    }),
  ),
})
export type Changes = Static<typeof Changes>
