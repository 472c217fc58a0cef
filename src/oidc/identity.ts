import type { IssuerIdentity, IssuerSettings } from '../kernel/issuers.ts'

export type Claims = Record<string, unknown>

const MAX_TEXT = 200

/** Describes a person by the claims of their ID token, and those of the userinfo endpoint. */
export function identityOf(
  { groupsClaim, trustsEmail }: IssuerSettings,
  claims: Claims,
  idToken: string,
): IssuerIdentity {
  const email = textOf(claims.email)?.toLowerCase()
  return {
    issuer: String(claims.iss),
    subject: String(claims.sub),
    email,
    isEmailVerified: email !== undefined && isVerified(claims, trustsEmail),
    name: textOf(claims.name) ?? textOf(claims.preferred_username),
    groups: groupsOf(claims, groupsClaim),
    session: textOf(claims.sid),
    idToken,
  }
}

/** Whether the claims lack something that the userinfo endpoint may have. */
export const isIncomplete = (claims: Claims, { groupsClaim, roles }: IssuerSettings): boolean =>
  claims.email === undefined ||
  claims.email_verified === undefined ||
  claims.name === undefined ||
  (roles.length > 0 && claimAt(claims, groupsClaim) === undefined)

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() ? value.trim().slice(0, MAX_TEXT) : undefined

/** Microsoft Entra has a claim of its own, which says that the domain belongs to the tenant. */
function isVerified({ email_verified, xms_edov }: Claims, trustsEmail: boolean): boolean {
  const isYes = (value: unknown) => value === true || value === 'true' || value === 1
  if (email_verified !== undefined) return isYes(email_verified)
  if (xms_edov !== undefined) return isYes(xms_edov) || xms_edov === '1'
  return trustsEmail
}

/**
 * Returns the groups of a person. Some issuers leave the claim out for people without a group, so a
 * missing claim means none, unless the issuer says that it left it out because it is too long.
 */
function groupsOf(claims: Claims, name: string): string[] | undefined {
  const value = claimAt(claims, name)
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.filter((group) => typeof group === 'string')
  const omitted = claims._claim_names
  const isOmitted = typeof omitted === 'object' && omitted !== null && name in omitted
  return isOmitted ? undefined : []
}

/** The claim of that name. Otherwise its dots lead into objects, as in realm_access.roles. */
export function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: unknown = claims
  for (const key of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Claims)[key]
  }
  return value
}
