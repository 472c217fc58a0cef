import type { Clock } from '../kernel/caller.ts'
import { Fault } from '../kernel/fault.ts'
import type { IssuerSettings, LogoutRequest } from '../kernel/issuers.ts'
import { limitedFetch } from './limited-fetch.ts'
import { IssuerProblem } from './problems.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const TIMEOUT_MS = 5000
const TOLERANCE_S = 60
const MAX_AGE_S = 10 * 60
const MAX_REMEMBERED = 10_000
/** Signatures with public keys. A shared secret or none would let others write such tokens. */
const ALGORITHMS = ['RS', 'PS', 'ES'].flatMap((kind) => [256, 384, 512].map((n) => kind + n))

interface Metadata {
  issuer: string
  jwks_uri?: string | undefined
}

/** Checks the logout tokens of an issuer (OpenID Connect Back-Channel Logout 1.0). */
export class LogoutTokens {
  /** The ids of accepted tokens, with the time in ms after which they are too old anyway. */
  private readonly accepted = new Map<string, number>()

  constructor(
    private readonly settings: IssuerSettings,
    private readonly clock: Clock,
  ) {}

  /** Throws a fault unless the token is valid and was not used before. */
  async read(token: string, { issuer, jwks_uri }: Metadata): Promise<LogoutRequest> {
    const { createLocalJWKSet, jwtVerify } = await import('jose')
    if (!jwks_uri) throw invalidToken('its issuer publishes no keys')
    const keys = createLocalJWKSet(await fetchKeys(jwks_uri))
    const checks = {
      ...{ issuer, audience: this.settings.clientId, algorithms: [...ALGORITHMS, 'EdDSA'] },
      ...{ currentDate: this.clock(), clockTolerance: TOLERANCE_S, maxTokenAge: MAX_AGE_S },
      requiredClaims: ['iat', 'jti', 'events'],
    }
    const { payload } = await jwtVerify(token, keys, checks).catch(({ message }: Error) => {
      throw invalidToken(message)
    })
    const { sub, sid, jti, iat, events, nonce } = payload
    if (typeof events !== 'object' || events === null || !(EVENT in events))
      throw invalidToken('it is no logout token')
    if (nonce !== undefined) throw invalidToken('it has a nonce')
    const session = typeof sid === 'string' ? sid : undefined
    if (!sub && !session) throw invalidToken('it names neither a session nor a subject')
    this.refuseReplay(String(jti))
    return { issuer, subject: sub, session, sentAt: new Date(iat! * 1000) }
  }

  private refuseReplay(id: string): void {
    const now = this.clock().getTime()
    for (const [other, until] of this.accepted) {
      if (until > now && this.accepted.size < MAX_REMEMBERED) break
      this.accepted.delete(other)
    }
    if (this.accepted.has(id)) throw invalidToken('it was used before')
    this.accepted.set(id, now + (MAX_AGE_S + TOLERANCE_S) * 1000)
  }
}

async function fetchKeys(url: string) {
  try {
    const response = await limitedFetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (!response.ok) throw new Error(`HTTP status ${response.status}`)
    return (await response.json()) as { keys: [] }
  } catch (error) {
    const reason = (error as Error).message
    throw new IssuerProblem(
      new Fault('unavailable', 'The keys of the issuer cannot be read now'),
      `A logout request cannot be checked: the keys at ${url} cannot be read: ${reason}`,
    )
  }
}

const invalidToken = (reason: string) =>
  new Fault('invalid', `The logout token is not valid: ${reason}`, { field: 'logout_token' })
