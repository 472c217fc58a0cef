import type { Logger } from 'pino'
import type { Config } from '../config/index.ts'
import type { Presence } from '../features/agents/agents/model/index.ts'
import {
  needsRotation,
  readCookies,
  readDeviceCookie,
  rotateSession,
  sessionCookies,
} from '../features/identity/accounts/model/index.ts'
import { type AuthenticatedCaller, callerFinder } from '../features/identity/callers/model/index.ts'
import {
  type CredentialKind,
  markUsed,
  type SigningKey,
} from '../features/identity/credentials/model/index.ts'
import {
  basicScopes,
  isInAudience,
  resourceOfPath,
} from '../features/identity/grants/model/index.ts'
import type { Caller, Clock } from '../kernel/caller.ts'
import { Fault, fault } from '../kernel/fault.ts'
import type { TextTasks } from '../kernel/services.ts'
import { describeProblem } from '../store/errors.ts'
import type { OpenStore } from '../store/store.ts'
import { clientOf } from '../surfaces/client-address.ts'
import type { Authenticator, AuthMode, Identity, ServedRequest, Tier } from '../surfaces/gateway.ts'
import { isSameOrigin } from '../surfaces/origin.ts'
import { basePathOf, pathOf } from '../surfaces/path.ts'
import { RateLimiter, SharedLimiter } from '../surfaces/rate-limits.ts'

interface Options {
  config: Config
  store: OpenStore
  clock: Clock
  key: SigningKey
  log: Logger
  presence: Presence
  texts: TextTasks
  /** A monotonic clock in milliseconds. */
  elapsed: () => number
  /** Called once, with the address of the first untrusted proxy. */
  onUntrustedProxy?: ((address: string) => void) | undefined
}

type Parts = Options & { findCaller: ReturnType<typeof callerFinder> }

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/
/** Longer JSON bodies are refused before they are read if the text budget is used up. */
const LONG_BODY_BYTES = 16_384
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/**
 * Identifies callers, counts requests against rate limits and logs them. Surfaces get it injected,
 * because they import no features.
 */
export function createAuthenticator(options: Options): Authenticator {
  const parts: Parts = { ...options, findCaller: callerFinder(options.store) }
  const { config, presence } = parts
  const count = requestCounter(parts)
  const identities = new IdentityCache(parts)
  let isReported = false
  return {
    hasReplicas: () => parts.store.replicas !== undefined,
    url: () => config.url,
    async identify(request: Request, authMode: AuthMode) {
      const header = request.headers.get('authorization')
      if (authMode === 'page' || authMode === 'sign-in') return identifyVisitor(parts, request)
      if (header === null)
        return authMode === 'bearer or cookie' ? identifySession(parts, request) : undefined
      const identity = await identities.find(header)
      checkAudience(identity, request, config.url)
      presence.saw(identity.caller)
      return identity
    },
    resourceAt(path) {
      const resource = resourceOfPath(path)
      return { path: resource, scopes: basicScopes(resource) }
    },
    count,
    checkBody({ method, headers }, credential) {
      const isJson = !SAFE_METHODS.includes(method) && headers.get('content-type')?.includes('json')
      const isLong =
        Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY) > LONG_BODY_BYTES
      if (isJson && isLong) parts.texts.checkBudget(credential)
    },
    clientOf(headers, peer) {
      const client = clientOf(headers, peer, config.trustedProxies)
      if (client.isUntrustedProxy && !isReported) {
        isReported = true
        parts.onUntrustedProxy?.(client.address)
      }
      return client
    },
    deviceOf({ headers }) {
      const device = readDeviceCookie(parts.key, headers.get('cookie'))
      return device && `device:${device.id}`
    },
    ...requestLog(parts),
  }
}

/** Logs requests and their failures. */
const requestLog = ({ log }: Options): Pick<Authenticator, 'onFailure' | 'onServed'> => ({
  onFailure(requestId, error) {
    log.error({ requestId, err: error }, describeProblem(error))
  },
  onServed(request: ServedRequest) {
    const level = request.error ? 'error' : 'debug'
    if (!log.isLevelEnabled(level)) return
    const { error, ...fields } = request
    if (error) log.error({ ...fields, err: error }, describeProblem(error))
    else log.debug(fields, 'served')
  },
})

/** Counts requests against the limit of their tier. A tier without a limit is not counted. */
function requestCounter(parts: Options): Authenticator['count'] {
  const limiter = limiterOf(parts)
  const limits = limitsOf(parts.config)
  return (tier, key) => {
    const limit = limits[tier]
    return limit
      ? limiter.take(SHARED_TIERS.includes(tier) ? key : `${tier} ${key}`, limit)
      : undefined
  }
}

/** In these tiers all requests of a credential count in one window, whatever the tier's limit. */
const SHARED_TIERS: readonly Tier[] = ['base', 'agent', 'web']

/** Limits in requests per minute, as listed in docs/start.md. */
function limitsOf({ rateBase, rateAgent }: Config): Record<Tier, number> {
  const limits = rateBase && {
    web: 1200,
    page: 600,
    'sign-in': 120,
    receiver: 600,
    feed: 60,
    // Codes that people type at /device. Guessing one takes millions of attempts.
    code: 10,
    bulk: 12_000,
  }
  const disabled = { web: 0, page: 0, 'sign-in': 0, receiver: 0, feed: 0, code: 10, bulk: 0 }
  return { base: rateBase, agent: rateAgent, ...(limits || disabled) }
}

function limiterOf({ store: { rateCounter }, log, elapsed }: Options) {
  const localLimiter = new RateLimiter(elapsed)
  if (!rateCounter) return localLimiter
  const onFallback = (error: unknown) =>
    log.warn({ err: error }, 'rate limits are counted by this process alone for a while')
  return new SharedLimiter(localLimiter, rateCounter, onFallback, elapsed)
}

/** Caches identities by Authorization header until the next write or the next second. */
class IdentityCache {
  private readonly cache = new Map<string, Bearer>()
  private age: number | undefined
  private second = 0

  constructor(private readonly parts: Parts) {}

  async find(header: string): Promise<Bearer> {
    const { store, clock } = this.parts
    const age = store.version?.()
    const now = clock()
    const second = Math.floor(now.getTime() / 1000)
    if (age !== this.age || second !== this.second) {
      this.cache.clear()
      this.age = age
      this.second = second
    }
    const cached = this.cache.get(header)
    if (cached && !(cached.expiresAt && cached.expiresAt <= now)) return cached
    const identity = await identifyBearer(this.parts, header)
    if (age !== undefined && age === store.version?.()) this.cache.set(header, identity)
    return identity
  }
}

type Bearer = Identity & Pick<AuthenticatedCaller, 'expiresAt' | 'audience'>

/** A token that a person allowed for one resource opens no other one. */
function checkAudience({ audience }: Bearer, request: Request, url: string): void {
  if (audience === null || isInAudience(audience, url, pathOf(request.url))) return
  throw new Fault(
    'unauthenticated',
    'This access token was issued for another address',
    {},
    `It is only for ${audience}`,
  )
}

async function identifyBearer(parts: Parts, header: string): Promise<Bearer> {
  const credential = /^Bearer ([^\s]+)$/i.exec(header)?.[1]
  if (!credential)
    throw new Fault(
      'unauthenticated',
      'The Authorization header must be "Bearer <key>", with one space',
      {},
      'Send your key after the word Bearer',
    )
  const isToken = JWT.test(credential)
  const secretOrId = isToken ? await parts.key.idOf(credential, parts.clock()) : credential
  const { caller, expiresAt, audience } = await findHolder(
    parts,
    secretOrId,
    isToken ? ['token', 'access'] : ['key', 'agent'],
  )
  return { caller, expiresAt, audience, tier: caller.kind === 'agent' ? 'agent' : 'base' }
}

/** Identifies the session in the cookies. Returns undefined if there are none. */
async function identifySession(parts: Parts, request: Request): Promise<Identity | undefined> {
  const cookies = readCookies(
    parts.key,
    request.headers.get('cookie'),
    basePathOf(parts.config.url) !== '',
  )
  if (!cookies) return undefined
  const { caller, createdAt } = await findHolder(parts, cookies.secret, ['session'])
  const isOwnOrigin = isSameOrigin(request, parts.config.url)
  const isRead = SAFE_METHODS.includes(request.method)
  if (!isOwnOrigin && !isRead) throw crossOriginFault()
  const tier = isOwnOrigin ? 'web' : 'base'
  // Sessions are renewed on reads only: a write may itself end the session or set other cookies.
  if (!isRead || !needsRotation(createdAt, parts.clock())) return { caller, tier }
  return { tier, caller, ...(await renewSession(parts, caller)) }
}

async function renewSession({ store, clock, key, config, log }: Options, caller: Caller) {
  const now = clock()
  const rotation = store.write((tx) => rotateSession(tx, caller, now))
  // If the disk is full, the session stays valid and people can still read.
  const next = await rotation.catch((error) => log.warn({ error }, 'session not renewed'))
  if (!next) return {}
  const { credential } = next
  return { caller: { ...caller, credential }, cookies: sessionCookies(key, next, now, config.url) }
}

/** Cross-origin forms are refused even without a session: signing somebody in is an attack too. */
async function identifyVisitor(parts: Parts, request: Request): Promise<Identity | undefined> {
  if (!SAFE_METHODS.includes(request.method) && !isSameOrigin(request, parts.config.url))
    throw crossOriginFault()
  return identifySession(parts, request)
}

async function findHolder(
  { store, clock, log, findCaller }: Parts,
  secret: string,
  kinds: readonly CredentialKind[],
) {
  const now = clock()
  const holder = await findCaller(secret, kinds, now)
  if (holder.stale)
    void store
      .write((tx) => markUsed(tx, holder.caller.credential, now))
      .catch((error) => log.warn({ error }, 'last use not saved'))
  return holder
}

const crossOriginFault = () =>
  fault.forbidden(
    'A browser session may make changes only from a page of this server',
    'Programs send a key instead: "Authorization: Bearer <key>"',
  )
