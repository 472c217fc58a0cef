import { eq } from 'drizzle-orm'
import type { Scope, Tx } from '../../../../kernel/caller.ts'
import type { Fault } from '../../../../kernel/fault.ts'
import type { SigningKey } from '../../credentials/model/index.ts'
import { oauthFault } from './oauth-fault.ts'
import { parseRefreshToken, type RefreshToken } from './refresh-token.ts'
import { canonicalResource, resourcePath } from './resources.ts'
import { verifiesChallenge } from './rules.ts'
import { REFRESH_GRACE_MS } from './schema.ts'
import { requestedScopes } from './scopes.ts'
import { findGrant, type Grant, revokeMisused } from './store.ts'
import { grants } from './tables.ts'
import { advance, byCode, checkGrant, type Issued, invalidGrant, issueTokens } from './tokens.ts'

/** The parameters of a token request; absent ones are undefined. */
export type TokenRequest = Partial<Record<string, string>>

export interface Exchange {
  tx: Tx
  key: SigningKey
  now: Date
  url: string
}

/**
 * The tokens, or the refusal. A refusal is returned, not thrown, where the transaction must be
 * committed: it revokes the grant.
 */
export type Exchanged = Issued | Fault

const SHA256 = (text: string) => Bun.CryptoHasher.hash('sha256', text, 'base64url')

/** Exchanges an authorization code. A code that comes a second time revokes the grant. */
export async function exchangeCode(exchange: Exchange, request: TokenRequest): Promise<Exchanged> {
  const { tx, now, url } = exchange
  const { code = '', client_id = '', redirect_uri, code_verifier = '', resource } = request
  const found = checkGrant(await findGrant(tx, byCode(code)), client_id, now)
  const { code_challenge, code_expires_at, generation } = found.grant
  if (!verifiesChallenge(code_verifier, code_challenge ?? '', SHA256))
    throw invalidGrant('The code_verifier is not the one of the code_challenge')
  if (redirect_uri !== undefined && redirect_uri !== found.grant.redirect_uri)
    throw invalidGrant('The redirect_uri is not the one of the authorization request')
  checkResource(found, resource, url)
  if (generation > 0) return reused(exchange, found)
  if (!code_expires_at || code_expires_at <= now) throw invalidGrant('The code has expired')
  return firstTokens(exchange, found)
}

/** Issues the first tokens of a grant, once. */
export async function firstTokens(exchange: Exchange, found: Grant): Promise<Exchanged> {
  const { tx, key, now } = exchange
  if (!(await advance(tx, found, 0, now))) return reused(exchange, found)
  return issueTokens(tx, withGeneration(found, 1), { key, now })
}

async function reused({ tx, now }: Exchange, found: Grant): Promise<Fault> {
  await revokeMisused(tx, found, now)
  return invalidGrant('It was used before. The access that it gave has been revoked')
}

const withGeneration = (found: Grant, generation: number): Grant => ({
  ...found,
  grant: { ...found.grant, generation },
})

/** Rotates a refresh token. An old one that comes again revokes the grant, because it was stolen. */
export async function refresh(exchange: Exchange, request: TokenRequest): Promise<Exchanged> {
  const { tx, key, now, url } = exchange
  const { refresh_token = '', client_id = '', scope, resource } = request
  const token = parseRefreshToken(key, refresh_token)
  if (!token) throw invalidGrant('The refresh_token is not from this server')
  const isGrant = eq(grants.credential_id, token.grant_id)
  const found = checkGrant(await findGrant(tx, isGrant), client_id, now)
  checkResource(found, resource, url)
  const scopes = narrowedScopes(found, scope, url)
  if (await advance(tx, found, token.generation, now))
    return issueTokens(tx, withGeneration(found, token.generation + 1), { key, now, scopes })
  const current = (await findGrant(tx, isGrant))!
  if (!isConcurrent(current, token, now)) return reused(exchange, found)
  return issueTokens(tx, current, { key, now, scopes })
}

/** Whether the token was replaced a moment ago, as by another process of the client. */
function isConcurrent({ grant }: Grant, { generation }: RefreshToken, now: Date): boolean {
  const { refreshed_at } = grant
  const age = now.getTime() - (refreshed_at?.getTime() ?? 0)
  return generation > 0 && generation === grant.generation - 1 && age <= REFRESH_GRACE_MS
}

function checkResource({ credential }: Grant, resource: string | undefined, url: string) {
  if (resource !== undefined && canonicalResource(resource, url) !== credential.audience)
    throw oauthFault('invalid_target', 'The resource is not the one that the person allowed')
}

/** The scopes that a refresh asks for. They can only be fewer than those of the grant. */
function narrowedScopes({ credential, agent }: Grant, scope: string | undefined, url: string) {
  if (scope === undefined) return undefined
  const path = resourcePath(credential.audience ?? '', url) ?? ''
  const own: readonly Scope[] | null = credential.scopes ?? agent?.scopes ?? null
  const requested = requestedScopes(scope, path)
  if (own && requested.some((one) => !own.includes(one)))
    throw oauthFault('invalid_scope', 'The scope exceeds what the person allowed')
  return requested
}
