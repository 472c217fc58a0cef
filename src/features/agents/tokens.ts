import { and, eq, gt, inArray, isNull, or } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { credentials, keepCredential, newSecret } from '../credentials/index.ts'
import type { IssuedAgent } from './schema.ts'
import type { Agent, NamedAgent } from './store.ts'

/** A token of its own, whose secret is in the answer and nowhere else. */
export async function issueToken(ctx: Context, { actor_id, name }: NamedAgent) {
  const token = newSecret('agent')
  const secret = { kind: 'agent' as const, secret: token, scopes: null, expires_at: null }
  const { credential_id } = await keepCredential(ctx.tx, { ...secret, actor_id, name }, ctx.now)
  return { credential_id, shown: shownOnce(ctx, token) }
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

/** Ends every token of an agent at once, and says which those were. */
export async function endTokens({ tx, now }: Context, { actor_id }: Agent): Promise<number[]> {
  const rows = await tx
    .update(credentials)
    .set({ revoked_at: now })
    .where(and(eq(credentials.actor_id, actor_id), isNull(credentials.revoked_at)))
    .returning({ credential_id: credentials.credential_id })
  return rows.map(({ credential_id }) => credential_id)
}

/** Which of these agents have a token that opens the door. */
export async function withToken({ tx, now }: Context, of: readonly Agent[]): Promise<Set<number>> {
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
