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
    login: t.String({ description: 'The account of the token or of the GitHub App' }),
    app_url: t.Union([t.String(), t.Null()], {
      description: 'The page of its GitHub App; null with an access token',
    }),
    repositories: t.Integer({ description: 'Number of linked repositories' }),
    created_by: Actor,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { columns: ['host_id', 'kind', 'url', 'login', 'repositories'] },
)

const MAPPED_BY = ['admin', 'member', 'email'] as const
export type MappedBy = (typeof MAPPED_BY)[number]

export const AccountRow = t.Object(
  {
    login: t.String(),
    user_id: UserId,
    name: t.String(),
    is_member: t.Boolean({ description: 'False for people who only exist at the host' }),
    mapped_by: t.Union([...MAPPED_BY.map((one) => t.Literal(one)), t.Null()], {
      description:
        'How it is known: an admin said so, the member proved it with a token of the account, or ' +
        'the host has verified its email; null without a member',
    }),
  },
  { columns: ['login', 'user_id', 'name', 'is_member', 'mapped_by'] },
)

export const OwnHost = t.Object(
  { host_id: HostId, kind: Kind, url: t.String(), logins: t.Array(t.String()) },
  { columns: ['host_id', 'kind', 'url', 'logins'] },
)
