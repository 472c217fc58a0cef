import { and, gt, inArray, isNull, or } from 'drizzle-orm'
import type { Context, WriteContext } from '../../../../kernel/caller.ts'
import {
  credentials,
  insertCredential,
  newSecret,
  parentOf,
} from '../../../identity/credentials/model/index.ts'
import type { IssuedAgent } from './schema.ts'
import type { Agent, NamedAgent } from './store.ts'

/**
 * Issues a token for an agent. Its secret is only in this answer. A token created with a bearer
 * credential has no more scopes than that credential, and expires with it.
 */
export async function issueToken(ctx: Context, { actor_id, name }: NamedAgent) {
  const secret = newSecret('agent')
  const limits = await parentOf(ctx)
  const draft = { kind: 'agent' as const, secret, actor_id, name, ...limits }
  const { credential_id } = await insertCredential(ctx.tx, draft, ctx.now)
  const { parent_id } = limits
  const expires_at = limits.expires_at?.toISOString() ?? null
  const data = { credential_id, parent_id, token_expires_at: expires_at }
  return {
    changeData: data,
    response: { ...tokenFields(ctx, secret), token_expires_at: expires_at },
  }
}

const tokenFields = ({ server }: Context, token: string) =>
  ({
    token,
    client_configuration: {
      type: 'http',
      url: `${server.url}/mcp`,
      headers: { Authorization: `Bearer ${token}` },
    },
  }) satisfies Partial<IssuedAgent>

/** The agents among these that have a valid token, or the grant of an OAuth client. */
export async function withToken(
  { tx, now }: Pick<WriteContext, 'tx' | 'now'>,
  agentRows: readonly Agent[],
): Promise<Set<number>> {
  const ids = agentRows.map(({ actor_id }) => actor_id)
  if (!ids.length) return new Set()
  const rows = await tx
    .selectDistinct({ actor_id: credentials.actor_id })
    .from(credentials)
    .where(
      and(
        inArray(credentials.actor_id, ids),
        inArray(credentials.kind, ['agent', 'grant']),
        isNull(credentials.revoked_at),
        or(isNull(credentials.expires_at), gt(credentials.expires_at, now)),
      ),
    )
  return new Set(rows.map(({ actor_id }) => actor_id))
}
