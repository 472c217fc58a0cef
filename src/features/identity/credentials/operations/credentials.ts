import { Type as t } from '@sinclair/typebox'
import { and, getTableColumns } from 'drizzle-orm'
import type { Context, Scope, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { listInput, listOf, type Paging } from '../../../../kernel/list.ts'
import { DATE_TIME_FORMAT } from '../../../../kernel/openapi-formats.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { tokenLimit } from '../../team_policy/model/index.ts'
import {
  AccessTokenRow,
  ApiKeyRow,
  NewAccessToken,
  NewApiKey,
  newCredential,
} from '../model/schema.ts'
import {
  type Credential,
  credentialExpiry,
  earliest,
  inheritedScopes,
  insertCredential,
  type NewCredential,
  newSecret,
  newToken,
  ofCaller,
  parentOf,
  refuseEleventh,
} from '../model/store.ts'
import { credentials } from '../model/tables.ts'

export const listKeys = operation({
  name: 'api_keys.list',
  summary: 'Your API keys, without their secrets',
  needs: 'keys:read',
  dependsOn: ['credential'],
  on: { rest: 'GET /api/v1/api-keys', cli: { usage: 'keys list', example: '' } },
  input: listInput({}, ['createdAt', 'title']),
  output: listOf(ApiKeyRow),
  async run(input, ctx) {
    const { rows, page } = await ownCredentials(ctx, input, 'key')
    const items = rows.map((row) => ({ ...asKey(row), ...lastUse(row, ctx.now) }))
    return { items, page }
  },
})

export const createKey = operation({
  name: 'api_keys.create',
  summary: 'Create an API key; the full key is shown only once',
  needs: 'keys:manage',
  creates: true,
  on: {
    rest: 'POST /api/v1/api-keys',
    cli: { usage: 'keys create <name>', example: 'laptop --scopes tasks:read,projects:read' },
  },
  input: newCredential({
    expires_at: t.Optional(
      t.Union([
        t.String({ maxLength: 40, description: 'ISO 8601 date-time', ...DATE_TIME_FORMAT }),
        t.Null(),
      ]),
    ),
  }),
  output: NewApiKey,
  async run({ name, scopes, expires_at }, ctx) {
    await refuseEleventh(ctx)
    const key = newSecret('key')
    const expires = expires_at ? future(expires_at, ctx.now) : null
    const draft = { kind: 'key', name, secret: key, expires_at: expires } as const
    return { ...asKey(await createCredential(ctx, draft, scopes)), key }
  },
})

export const listTokens = operation({
  name: 'access_tokens.list',
  summary: 'Your MCP access tokens, without their secrets',
  needs: 'keys:read',
  dependsOn: ['credential'],
  on: { rest: 'GET /api/v1/access-tokens', cli: { usage: 'tokens list', example: '' } },
  input: listInput({}, ['createdAt', 'title']),
  output: listOf(AccessTokenRow),
  async run(input, ctx) {
    const { rows, page } = await ownCredentials(ctx, input, 'token')
    const items = rows.map((row) => ({ ...asToken(row), ...lastUse(row, ctx.now) }))
    return { items, page }
  },
})

export const createToken = operation({
  name: 'access_tokens.create',
  summary: 'Create an MCP access token for 30 days; it is shown only once',
  needs: 'keys:manage',
  creates: true,
  on: {
    rest: 'POST /api/v1/access-tokens',
    cli: { usage: 'tokens create <name>', example: 'editor' },
  },
  input: newCredential({}),
  output: NewAccessToken,
  prepare: async (_, ask) => newToken(ask, await ask.read((tx) => latestExpiry(tx, ask))),
  async run({ name, scopes }, ctx, { secret, expires_at, token }) {
    const row = await createCredential(ctx, { kind: 'token', name, secret, expires_at }, scopes)
    const headers = { Authorization: `Bearer ${token}` }
    const client_configuration = { type: 'http' as const, url: `${ctx.server.url}/mcp`, headers }
    return { ...asToken(row), token, client_configuration }
  },
})

const ownCredentials = (ctx: Context, input: Paging, kind: 'key' | 'token') =>
  pageOf(ctx.tx, input, {
    name: `credentials of kind ${kind}`,
    from: credentials,
    columns: getTableColumns(credentials),
    where: and(ofCaller(ctx, kind), matchesSearch(input, [credentials.name])),
    sorts: { createdAt: { key: credentials.created_at }, title: { key: credentials.name } },
    id: 'credential_id',
  })

async function createCredential(
  ctx: Context,
  draft: Pick<NewCredential, 'kind' | 'name' | 'secret' | 'expires_at'>,
  requested: Scope[] | undefined,
) {
  const parent = await parentOf(ctx)
  const scopes = inheritedScopes(ctx, parent, requested)
  const { actor_id } = ctx.caller
  const { parent_id, minted_by } = parent
  const limit = await tokenLimit(ctx.tx, actor_id, ctx.now)
  const expires_at = boundedExpiry(ctx, draft, { parent: parent.expires_at, policy: limit })
  const bounds = { scopes, parent_id, minted_by, expires_at }
  const row = await insertCredential(ctx.tx, { ...draft, actor_id, ...bounds }, ctx.now)
  const { credential_id, kind, name } = row
  const expires = row.expires_at?.toISOString() ?? null
  const data = { credential_id, kind, name, scopes, expires_at: expires, parent_id }
  ctx.emit('credential.created', {}, data)
  return row
}

/** When a token of the caller expires at the latest. */
async function latestExpiry(tx: Tx, { caller, now }: Pick<Context, 'caller' | 'now'>) {
  return earliest(await credentialExpiry(tx, caller), await tokenLimit(tx, caller.actor_id, now))
}

/** A key or token ends with the credential that created it, and by the rules of the teams. */
function boundedExpiry(
  { warn }: Context,
  requested: Pick<NewCredential, 'expires_at'>,
  { parent, policy }: Record<'parent' | 'policy', Date | null>,
) {
  const expires_at = earliest(requested.expires_at, earliest(parent, policy))
  if (requested.expires_at && expires_at! < requested.expires_at)
    warn(
      'expires_at',
      'out_of_range',
      expires_at === parent
        ? `It expires with the credential that created it: ${expires_at!.toISOString()}`
        : `It expires as your team requires: ${expires_at!.toISOString()}`,
    )
  return expires_at
}

type Row = Omit<Credential, 'hash'>

const commonFields = ({ name, scopes, parent_id, created_at, expires_at }: Row) => ({
  name,
  scopes,
  parent_id,
  created_at: created_at.toISOString(),
  expires_at: expires_at?.toISOString() ?? null,
})
const asKey = (row: Row) => ({
  api_key_id: row.credential_id,
  prefix: row.prefix,
  ...commonFields(row),
})
const asToken = (row: Row) => ({ access_token_id: row.credential_id, ...commonFields(row) })

const lastUse = ({ last_used_at, expires_at }: Row, now: Date) => ({
  last_used_at: last_used_at?.toISOString() ?? null,
  expired: expires_at !== null && expires_at <= now,
})

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

function future(text: string, now: Date): Date {
  const date = new Date(text)
  if (!MOMENT.test(text) || Number.isNaN(date.getTime()))
    throw fault.invalid(
      'expires_at',
      'invalid_format',
      'expires_at must be an ISO 8601 date-time with a time zone',
      text,
      'For example 2027-01-31T12:00:00Z',
    )
  if (date <= now)
    throw fault.invalid('expires_at', 'out_of_range', 'expires_at is in the past', text)
  return date
}
