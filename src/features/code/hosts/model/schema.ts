import { Type as t } from '@sinclair/typebox'
import { Actor, Id, Timestamp, UserId } from '../../../identity/people/model/index.ts'
import { TeamId } from '../../../identity/teams/model/index.ts'

export const HOST_KINDS = ['github', 'gitlab', 'forgejo'] as const
export type HostKind = (typeof HOST_KINDS)[number]

export const Kind = t.Union(
  HOST_KINDS.map((kind) => t.Literal(kind)),
  { description: 'forgejo is for Gitea too' },
)
export const HostId = Id('Id of a code host')
export const HostUrl = t.String({
  minLength: 1,
  maxLength: 500,
  description: 'Address of the host, such as https://git.example.com',
})
export const Token = t.String({
  minLength: 1,
  maxLength: 1000,
  description: 'Access token of the account that Corkboard uses; it is never shown again',
})
export const Login = t.String({
  minLength: 1,
  maxLength: 255,
  description: 'Name of an account at the host',
})

export const HostRow = t.Object(
  {
    host_id: HostId,
    team_id: TeamId,
    kind: Kind,
    url: t.String(),
    login: t.String({ description: 'The account of the token' }),
    repositories: t.Integer({ description: 'Number of linked repositories' }),
    created_by: Actor,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { columns: ['host_id', 'kind', 'url', 'login', 'repositories'] },
)

export const AccountRow = t.Object(
  {
    login: t.String(),
    user_id: UserId,
    name: t.String(),
    is_member: t.Boolean({ description: 'False for people who only exist at the host' }),
  },
  { columns: ['login', 'user_id', 'name', 'is_member'] },
)
