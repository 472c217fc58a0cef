import type { Logger } from 'pino'
import type { Config } from './config.ts'
import {
  deviceIn,
  needsRotation,
  readCookies,
  rotateSession,
  sessionCookies,
} from './features/accounts/index.ts'
import type { Presence } from './features/agents/index.ts'
import { callerOf, type Known } from './features/callers/index.ts'
import { type CredentialKind, markUsed, type SigningKey } from './features/credentials/index.ts'
import type { Caller, Clock } from './kernel/caller.ts'
import { Fault, fault } from './kernel/fault.ts'
import type { TextWork } from './kernel/outside.ts'
import type { OpenStore } from './store/store.ts'
import { plainly } from './store/trouble.ts'
import { clientOf } from './surfaces/client-address.ts'
import type { Doorkeeper, Entry, Identity, Served, Tier } from './surfaces/door.ts'
import { RateLimiter, SharedLimiter } from './surfaces/limits.ts'
import { isSameOrigin } from './surfaces/origin.ts'

interface Parts {
  config: Config
  store: OpenStore
  clock: Clock
  key: SigningKey
  log: Logger
  presence: Presence
  texts: TextWork
  /** A clock that never jumps, in milliseconds. */
  elapsed: () => number
  /** Called once, with the address of a proxy that is not trusted. */
  onUntrustedProxy?: ((address: string) => void) | undefined
}

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/
/** Reading more takes time, and nothing comes of it once the budget is used up. */
const LONG_BODY = 16_384
const SAFE = ['GET', 'HEAD', 'OPTIONS']

/** Knows the credentials, the rate tiers and the log, so that surfaces need not. */
export function doorkeeper(parts: Parts): Doorkeeper {
  const { config, log, presence } = parts
  const limiter = limiterOf(parts)
  const recent = new Recent(parts)
  const limits = limitsOf(config)
  let isReported = false
  return {
    url: () => config.url,
    async identify(request: Request, entry: Entry) {
      const header = request.headers.get('authorization')
      if (entry === 'page' || entry === 'sign-in') return visitor(parts, request)
      if (header === null) return entry === 'bearer or cookie' ? session(parts, request) : undefined
      const found = await recent.find(header)
      presence.saw(found.caller)
      return found
    },
    count(tier, key) {
      const limit = limits[tier]
      return limit ? limiter.take(SHARED.includes(tier) ? key : `${tier} ${key}`, limit) : undefined
    },
    checkBody({ method, headers }, credential) {
      const isJson = !SAFE.includes(method) && headers.get('content-type')?.includes('json')
      const isLong = Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY) > LONG_BODY
      if (isJson && isLong) parts.texts.checkBudget(credential)
    },
    clientOf(headers, peer) {
      const client = clientOf(headers, peer, config.trustedProxies)
      if (client.isUnvouched && !isReported) {
        isReported = true
        parts.onUntrustedProxy?.(client.address)
      }
      return client
    },
    deviceOf({ headers }) {
      const device = deviceIn(parts.key, headers.get('cookie'))
      return device && `device:${device.id}`
    },
    broke(requestId, error) {
      log.error({ requestId, err: error }, plainly(error))
    },
    heard(served: Served) {
      const level = served.error ? 'error' : 'debug'
      if (!log.isLevelEnabled(level)) return
      const { error, ...told } = served
      if (error) log.error({ ...told, err: error }, plainly(error))
      else log.debug(told, 'served')
    },
  }
}

/** A credential has one window, however large its allowance is for the request at hand. */
const SHARED: readonly Tier[] = ['base', 'agent', 'web']

/** Requests a minute; docs/start.md lists them. */
function limitsOf({ rateBase, rateAgent }: Config): Record<Tier, number> {
  const own = rateBase && { web: 1200, page: 600, 'sign-in': 120, receiver: 600, feed: 60 }
  const off = { web: 0, page: 0, 'sign-in': 0, receiver: 0, feed: 0 }
  return { base: rateBase, agent: rateAgent, ...(own || off) }
}

function limiterOf({ store: { tally }, log, elapsed }: Parts) {
  const own = new RateLimiter(elapsed)
  if (!tally) return own
  const alone = (error: unknown) =>
    log.warn({ err: error }, 'requests are counted by this process alone for a while')
  return new SharedLimiter(own, tally, alone, elapsed)
}

/** Who showed a credential since the last write, within this second, need not be looked up. */
class Recent {
  private readonly identities = new Map<string, Bearer>()
  private age: number | undefined
  private second = 0

  constructor(private readonly parts: Parts) {}

  async find(header: string): Promise<Bearer> {
    const { store, clock } = this.parts
    const age = store.age?.()
    const now = clock()
    const second = Math.floor(now.getTime() / 1000)
    if (age !== this.age || second !== this.second) {
      this.identities.clear()
      this.age = age
      this.second = second
    }
    const before = this.identities.get(header)
    if (before && !(before.ends && before.ends <= now)) return before
    const found = await bearer(this.parts, header)
    if (age !== undefined && age === store.age?.()) this.identities.set(header, found)
    return found
  }
}

type Bearer = Identity & Pick<Known, 'ends'>

async function bearer(parts: Parts, header: string): Promise<Bearer> {
  const secret = /^Bearer ([^\s]+)$/i.exec(header)?.[1]
  if (!secret)
    throw new Fault(
      'unauthenticated',
      'The Authorization header must be "Bearer <key>", with one space',
      {},
      'Send your key after the word Bearer',
    )
  const isToken = JWT.test(secret)
  const known = isToken ? await parts.key.idOf(secret, parts.clock()) : secret
  const { caller, ends } = await holderOf(parts, known, isToken ? ['token'] : ['key', 'agent'])
  return { caller, ends, tier: caller.kind === 'agent' ? 'agent' : 'base' }
}

/** Who a browser's cookies stand for; nothing where there are none. */
async function session(parts: Parts, request: Request): Promise<Identity | undefined> {
  const shown = readCookies(parts.key, request.headers.get('cookie'))
  if (!shown) return undefined
  const { caller, made } = await holderOf(parts, shown.secret, ['session'])
  const isOurs = isSameOrigin(request, parts.config.url)
  const isSafe = SAFE.includes(request.method)
  if (!isOurs && !isSafe) throw fromElsewhere()
  const tier = isOurs ? 'web' : 'base'
  // Only while reading: a write may itself end the session or give it other cookies.
  if (!isSafe || !needsRotation(made, parts.clock())) return { caller, tier }
  return { tier, caller, ...(await renewed(parts, caller)) }
}

async function renewed({ store, clock, key, config, log }: Parts, caller: Caller) {
  const now = clock()
  const rotated = store.write((tx) => rotateSession(tx, caller, now))
  // On a full disk people read on with the session that they have.
  const next = await rotated.catch((error) => log.warn({ error }, 'session not renewed'))
  if (!next) return {}
  const { credential } = next
  return { caller: { ...caller, credential }, cookies: sessionCookies(key, next, now, config.url) }
}

/** A form needs no session to be dangerous: signing a stranger in is an attack as well. */
async function visitor(parts: Parts, request: Request): Promise<Identity | undefined> {
  if (!SAFE.includes(request.method) && !isSameOrigin(request, parts.config.url))
    throw fromElsewhere()
  return session(parts, request)
}

async function holderOf(
  { store, clock, log }: Parts,
  secret: string,
  kinds: readonly CredentialKind[],
) {
  const now = clock()
  const known = await store.read((tx) => callerOf(tx, secret, kinds, now))
  if (known.stale)
    void store
      .write((tx) => markUsed(tx, known.caller.credential, now))
      .catch((error) => log.warn({ error }, 'last use not kept'))
  return known
}

const fromElsewhere = () =>
  fault.forbidden(
    'A signed-in browser may change something only from a page of this server',
    'Programs send a key instead: "Authorization: Bearer <key>"',
  )
