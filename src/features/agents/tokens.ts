import { and, eq, gt, inArray, isNull, or } from 'drizzle-orm'
import type { Context, Writer } from '../../kernel/caller.ts'
import { credentials, keepCredential, newSecret, parentOf } from '../credentials/index.ts'
import type { IssuedAgent } from './schema.ts'
import type { Agent, NamedAgent } from './store.ts'

/**
 * A token of its own, whose secret is in the answer and nowhere else. Minted with a key or a token,
 * it may do no more than that one may, and ends with it.
 */
export async function issueToken(ctx: Context, { actor_id, name }: NamedAgent) {
  const secret = newSecret('agent')
  const bounds = await parentOf(ctx)
  const draft = { kind: 'agent' as const, secret, actor_id, name, ...bounds }
  const { credential_id } = await keepCredential(ctx.tx, draft, ctx.now)
  const { parent_id } = bounds
  const expires_at = bounds.expires_at?.toISOString() ?? null
  const told = { credential_id, parent_id, token_expires_at: expires_at }
  return { told, shown: { ...shownOnce(ctx, secret), token_expires_at: expires_at } }
}

const shownOnce = ({ server }: Context, token: string) =>
  ({
    token,
    client_configuration: {
      type: 'http',
      url: `${server.url}/mcp`,
      headers: { Authorization: `Bearer ${token}` },
    },
  }) satisfies Partial<IssuedAgent>

/** Which of these agents have a token that opens the door. */
export async function withToken(
  { tx, now }: Pick<Writer, 'tx' | 'now'>,
  of: readonly Agent[],
): Promise<Set<number>> {
  const ids = of.map(({ actor_id }) => actor_id)
  if (!ids.length) return new Set()
  const rows = await tx
    .selectDistinct({ actor_id: credentials.actor_id })
    .from(credentials)
    .where(
      and(
        inArray(credentials.actor_id, ids),
        eq(credentials.kind, 'agent'),
        isNull(credentials.revoked_at),
        or(isNull(credentials.expires_at), gt(credentials.expires_at, now)),
      ),
    )
  return new Set(rows.map(({ actor_id }) => actor_id))
}
