import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { callerFor } from '../../callers/model/index.ts'
import { credentials, hashOf, type SigningKey } from '../../credentials/model/index.ts'
import { revokeCredentials, withChanges } from '../../departures/model/index.ts'
import type { Exchange } from './exchange.ts'
import { oauthFault } from './oauth-fault.ts'
import { parseRefreshToken } from './refresh-token.ts'
import { findGrant } from './store.ts'
import { grants } from './tables.ts'

/** A token as a client sends it: a refresh token, or the secret of an access token. */
type ParsedToken = { grant_id: number } | { secret: string }

/** Reads a token; undefined if this server did not make it. */
export async function parseToken(
  key: SigningKey,
  token: string,
  now: Date,
): Promise<ParsedToken | undefined> {
  const refresh = parseRefreshToken(key, token)
  if (refresh) return { grant_id: refresh.grant_id }
  const secret = await key.idOf(token, now).catch(() => undefined)
  return secret === undefined ? undefined : { secret }
}

/**
 * Revokes a token of a client (RFC 7009): a refresh token with its grant, or one access token.
 * Unknown tokens are no error, because they give no access either.
 */
export async function revokeByClient(
  { tx, now }: Exchange,
  client_id: string,
  token: ParsedToken,
): Promise<void> {
  const target = await credentialOf(tx, token)
  if (!target) return
  const found = await findGrant(tx, eq(grants.credential_id, target.grant_id))
  if (!found) return
  if (found.grant.client_id !== client_id)
    throw oauthFault('unauthorized_client', 'The token belongs to another client')
  const author = await callerFor(tx, found.grant.person_id)
  const condition = and(
    eq(credentials.credential_id, target.credential_id),
    isNull(credentials.revoked_at),
  )
  await withChanges(tx, author, now, (writer) => revokeCredentials(writer, condition))
}

async function credentialOf(tx: Tx, token: ParsedToken) {
  if ('grant_id' in token) return { grant_id: token.grant_id, credential_id: token.grant_id }
  const isToken = and(eq(credentials.hash, hashOf(token.secret)), eq(credentials.kind, 'access'))
  const [row] = await tx.select().from(credentials).where(isToken)
  return row && { grant_id: row.parent_id!, credential_id: row.credential_id }
}
