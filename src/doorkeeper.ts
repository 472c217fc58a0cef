import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { callerOf } from './features/callers/index.ts'
import { markUsed, type SigningKey } from './features/credentials/index.ts'
import type { Clock } from './kernel/caller.ts'
import type { Store } from './kernel/dispatch.ts'
import { Fault } from './kernel/fault.ts'
import type { Doorkeeper, Entry, Identity, Served } from './surfaces/door.ts'
import { RateLimiter } from './surfaces/limits.ts'

interface Parts {
  config: Config
  store: Store
  clock: Clock
  key: SigningKey
  log: Logger
}

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** Knows the credentials, the rate tiers and the log, so that surfaces need not. */
export function doorkeeper({ config, store, clock, key, log }: Parts): Doorkeeper {
  const limiter = new RateLimiter()
  const limits = { base: config.rateBase, agent: config.rateAgent, web: config.rateBase && 1200 }

  async function bearer(header: string): Promise<Identity> {
    const secret = /^Bearer ([^\s]+)$/.exec(header)?.[1]
    if (!secret)
      throw new Fault(
        'unauthenticated',
        'The Authorization header must be "Bearer <key>", with one space',
        {},
        'Send your key after the word Bearer',
      )
    const now = clock()
    const known = JWT.test(secret) ? await key.idOf(secret, now) : secret
    const kinds = JWT.test(secret) ? (['token'] as const) : (['key', 'agent'] as const)
    const { caller, stale } = await store.read((tx) => callerOf(tx, known, kinds, now))
    if (stale)
      void store
        .write((tx) => markUsed(tx, caller.credential, now))
        .catch((error) => log.warn({ error }, 'last use not kept'))
    return { caller, tier: caller.kind === 'agent' ? 'agent' : 'base' }
  }

  return {
    async identify(request: Request, _entry: Entry) {
      const header = request.headers.get('authorization')
      return header ? bearer(header) : undefined
    },
    count(address, identity) {
      const tier = identity?.tier ?? 'base'
      return limiter.take(identity?.caller.credential ?? address, limits[tier])
    },
    heard({ error, ...served }: Served) {
      if (error) log.error({ ...served, err: error }, 'failed')
      else log.info(served, 'served')
    },
  }
}
