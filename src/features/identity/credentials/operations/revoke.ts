import { type TProperties, Type as t } from '@sinclair/typebox'
import { and, eq } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { revokeCredentials } from '../../departures/model/index.ts'
import { Timestamp } from '../../people/model/index.ts'
import { AccessTokenId, ApiKeyId, credentials, ofCaller } from '../model/index.ts'

export const revokeKey = operation({
  name: 'api_keys.revoke',
  summary: 'Revoke one of your API keys; it stops working at once',
  needs: 'keys:manage',
  destroys: true,
  on: {
    rest: 'DELETE /api/v1/api-keys/:api_key_id',
    cli: { usage: 'keys revoke <api_key_id>', example: '1' },
  },
  input: t.Object({ api_key_id: ApiKeyId }),
  output: receiptOf({ api_key_id: ApiKeyId }),
  async run({ api_key_id }, ctx) {
    const { name } = await revokeOwn(ctx, 'key', 'api_key_id', api_key_id)
    return { api_key_id, name, revoked_at: ctx.now.toISOString() }
  },
})

export const revokeToken = operation({
  name: 'access_tokens.revoke',
  summary: 'Revoke one of your MCP access tokens; it stops working at once',
  needs: 'keys:manage',
  destroys: true,
  on: {
    rest: 'DELETE /api/v1/access-tokens/:access_token_id',
    cli: { usage: 'tokens revoke <access_token_id>', example: '7' },
  },
  input: t.Object({ access_token_id: AccessTokenId }),
  output: receiptOf({ access_token_id: AccessTokenId }),
  async run({ access_token_id }, ctx) {
    const { name } = await revokeOwn(ctx, 'token', 'access_token_id', access_token_id)
    return { access_token_id, name, revoked_at: ctx.now.toISOString() }
  },
})

function receiptOf<P extends TProperties>(id: P) {
  return t.Object({ ...id, name: t.String(), revoked_at: Timestamp })
}

/** Revokes a credential of the caller; throws not_found for those of others. */
async function revokeOwn(ctx: Context, kind: 'key' | 'token', field: string, id: number) {
  const own = and(ofCaller(ctx, kind), eq(credentials.credential_id, id))
  const [row] = await revokeCredentials(ctx, own)
  if (!row)
    throw fault.notFound(
      field,
      `You have no ${kind === 'key' ? 'API key' : 'access token'} ${id} to revoke`,
      id,
      'List yours; revoked ones cannot be restored',
    )
  return row
}
