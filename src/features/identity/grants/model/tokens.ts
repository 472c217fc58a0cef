import { and, eq } from 'drizzle-orm'
import { SCOPES, type Scope, type Tx } from '../../../../kernel/caller.ts'
import {
  credentials,
  earliest,
  hashOf,
  insertCredential,
  type SigningKey,
} from '../../credentials/model/index.ts'
import { oauthFault } from './oauth-fault.ts'
import { refreshToken } from './refresh-token.ts'
import { ACCESS_TOKEN_MS } from './schema.ts'
import { deleteExpired, type Grant, isLive } from './store.ts'
import { grants } from './tables.ts'

/** The answer of the token endpoint (RFC 6749, section 5.1). */
export interface TokenAnswer {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  scope: string
}

export interface Issuing {
  key: SigningKey
  now: Date
  /** Fewer scopes than those of the grant, if the client asks for fewer. */
  scopes?: readonly Scope[] | undefined
}

/** New tokens in the database. The JWT is signed after the transaction, which must not wait for it. */
export interface Issued {
  claims: Record<string, unknown>
  answer: Omit<TokenAnswer, 'access_token'>
}

/** A row of `credentials` is the access token; the JWT carries its secret as `jti`. */
export async function issueTokens(tx: Tx, found: Grant, issuing: Issuing): Promise<Issued> {
  const { grant, credential } = found
  const { key, now } = issuing
  const secret = crypto.randomUUID()
  const expires_at = earliest(new Date(now.getTime() + ACCESS_TOKEN_MS), credential.expires_at)!
  const scopes = issuing.scopes ? [...issuing.scopes] : credential.scopes
  const { actor_id, name, audience, project_ids, credential_id, minted_by } = credential
  const shared = { actor_id, name, audience, project_ids, minted_by, scopes, expires_at }
  await insertCredential(tx, { kind: 'access', secret, parent_id: credential_id, ...shared }, now)
  await deleteExpired(tx, credential_id, now)
  const scope = (scopes ?? found.agent?.scopes ?? SCOPES).join(' ')
  const { client_id, generation } = grant
  const times = { iat: seconds(now), exp: seconds(expires_at) }
  return {
    claims: { jti: secret, aud: audience, sub: String(actor_id), client_id, scope, ...times },
    answer: {
      token_type: 'Bearer',
      expires_in: times.exp - times.iat,
      refresh_token: refreshToken(key, { grant_id: credential_id, generation }),
      scope,
    },
  }
}

export const signTokens = async (key: SigningKey, { claims, answer }: Issued) => ({
  access_token: await key.sign(claims),
  ...answer,
})

const seconds = (date: Date) => Math.floor(date.getTime() / 1000)

/**
 * Makes the next generation of a grant the newest one. False if another request was faster: on
 * PostgreSQL it waits for that request and then finds another generation.
 */
export async function advance(tx: Tx, { grant }: Grant, from: number, now: Date): Promise<boolean> {
  const isUnchanged = and(
    eq(grants.credential_id, grant.credential_id),
    eq(grants.generation, from),
  )
  const rows = await tx
    .update(grants)
    .set({ generation: from + 1, refreshed_at: now })
    .where(isUnchanged)
    .returning({ generation: grants.generation })
  if (!rows.length) return false
  await tx
    .update(credentials)
    .set({ last_used_at: now })
    .where(eq(credentials.credential_id, grant.credential_id))
  return true
}

/** Throws unless the client is the one that the grant was made for, and the grant is live. */
export function checkGrant(found: Grant | undefined, client_id: string, now: Date): Grant {
  if (!found || found.grant.client_id !== client_id || !isLive(found, now)) throw invalidGrant()
  return found
}

export const invalidGrant = (reason = 'It is unknown, expired, revoked or of another client') =>
  oauthFault('invalid_grant', reason)

export const byCode = (code: string) => eq(grants.code_hash, hashOf(code))
