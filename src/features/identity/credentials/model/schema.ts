import { type Static, type TProperties, Type as t } from '@sinclair/typebox'
import { SCOPES } from '../../../../kernel/caller.ts'
import { Id, Timestamp } from '../../people/model/index.ts'

export const MAX_KEYS = 10
export const TOKEN_DAYS = 30

export const ApiKeyId = Id('Id of an API key')
export const AccessTokenId = Id('Id of an access token')

const Name = t.String({ minLength: 1, maxLength: 200, description: 'A name to recognise it by' })
const Scopes = t.Array(t.Union(SCOPES.map((scope) => t.Literal(scope))), {
  minItems: 1,
  maxItems: SCOPES.length,
  uniqueItems: true,
  description: 'Scopes; default: all of yours',
})
const Moment = t.Union([Timestamp, t.Null()])

export const newCredential = <P extends TProperties>(fields: P) =>
  t.Object({ name: Name, scopes: t.Optional(Scopes), ...fields })

/** The fields of both kinds. Null scopes mean all rights of the owner. */
const commonFields = {
  name: t.String(),
  scopes: t.Union([t.Array(t.String()), t.Null()]),
  parent_id: t.Union([Id('Id of a credential'), t.Null()], {
    description:
      'The key or token that created it, and that it ends with; null: created in a browser',
  }),
  created_at: Timestamp,
  expires_at: Moment,
}
const usageFields = { last_used_at: Moment, expired: t.Boolean() }

const columns = ['name', 'expires_at', 'expired']
export const ApiKeyRow = t.Object(
  { api_key_id: ApiKeyId, prefix: t.String(), ...commonFields, ...usageFields },
  { columns: ['api_key_id', 'prefix', ...columns] },
)
export type ApiKeyRow = Static<typeof ApiKeyRow>
export const AccessTokenRow = t.Object(
  { access_token_id: AccessTokenId, ...commonFields, ...usageFields },
  { columns: ['access_token_id', ...columns] },
)
export type AccessTokenRow = Static<typeof AccessTokenRow>

export const NewApiKey = t.Object(
  { api_key_id: ApiKeyId, prefix: t.String(), key: t.String(), ...commonFields },
  { secret: true },
)
export const NewAccessToken = t.Object(
  {
    access_token_id: AccessTokenId,
    token: t.String(),
    ...commonFields,
    /** To paste into an MCP client that uses HTTP. */
    client_configuration: t.Object({
      type: t.Literal('http'),
      url: t.String(),
      headers: t.Object({ Authorization: t.String() }),
    }),
  },
  { secret: true },
)
