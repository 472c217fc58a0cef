import type { Server } from '../../../../kernel/caller.ts'
import { Fault } from '../../../../kernel/fault.ts'

/** Number of wrong passwords or codes without a wait. */
const FREE_FAILURES = 5
const FIRST_WAIT_MS = 5000
const MAX_WAIT_MS = 15 * 60 * 1000
/** Failures are forgotten after this long without another. */
const FORGET_AFTER_MS = 60 * 60 * 1000
/** With this many failures on an account, unknown sources get a single free try. */
const ATTACK_THRESHOLD = 50
const MAX_ENTRIES = 100_000

/** What is guessed, as the error calls it. */
type GuessedSecret = 'password' | 'code'

interface Failures {
  count: number
  /** No try is accepted before this time. */
  until: number
  last: number
}

/** Where a try comes from. */
export interface Source {
  /** An address, or a browser that has signed in to the account before. */
  name: string
  isKnown: boolean
}

/**
 * Slows down the guessing of passwords and codes. Each pair of account and source has a wait of its own, which
 * doubles with every failure. When an account is under attack, its unknown sources only have to
 * wait sooner: failures of other sources never refuse a correct first try. Each process counts
 * separately, and a restart clears the counts.
 */
export class PasswordThrottle {
  private readonly failures = new Map<string, Failures>()

  /** `elapsed` is a clock in milliseconds that never jumps. */
  constructor(
    private readonly elapsed: () => number,
    private readonly secret: GuessedSecret = 'password',
  ) {}

  /** Counts a try before the password is checked, so that concurrent tries cannot all pass. */
  begin(account: string, source: Source): void {
    const now = this.elapsed()
    const isUnderAttack = (this.read(accountKey(account), now)?.count ?? 0) >= ATTACK_THRESHOLD
    const pair = pairKey(account, source)
    const previous = this.read(pair, now)
    if (previous && previous.until > now)
      throw tooMany(this.secret, previous.count, previous.until - now)
    const count = (previous?.count ?? 0) + 1
    const excess = count - (isUnderAttack && !source.isKnown ? 1 : FREE_FAILURES)
    const wait = excess < 0 ? 0 : Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** excess)
    this.store(pair, { count, until: now + wait, last: now })
    if (!source.isKnown) this.add(account, now, 1)
  }

  /** Clears the failures of a source whose password was correct. */
  succeed(account: string, source: Source): void {
    this.failures.delete(pairKey(account, source))
    if (!source.isKnown) this.add(account, this.elapsed(), -1)
  }

  private add(account: string, now: number, delta: number) {
    const key = accountKey(account)
    const count = Math.max(0, (this.read(key, now)?.count ?? 0) + delta)
    this.store(key, { count, until: 0, last: now })
  }

  private read(key: string, now: number): Failures | undefined {
    const failures = this.failures.get(key)
    return failures && Math.max(failures.last, failures.until) + FORGET_AFTER_MS > now
      ? failures
      : undefined
  }

  /** Keeps the map in the order of the last tries, so that the oldest entry is evicted first. */
  private store(key: string, failures: Failures) {
    this.failures.delete(key)
    this.failures.set(key, failures)
    if (this.failures.size <= MAX_ENTRIES) return
    const [oldest] = this.failures.keys()
    this.failures.delete(oldest!)
  }
}

/** No source name contains a space, so keys of accounts and of pairs cannot collide. */
const pairKey = (account: string, { name }: Source) => `${name} ${account}`
const accountKey = (account: string) => ` ${account}`

const tooMany = (secret: GuessedSecret, failures: number, ms: number) => {
  const seconds = Math.ceil(ms / 1000)
  return new Fault(
    'rate_limited',
    `Wrong ${secret} ${failures} times in a row`,
    { retry_after: seconds },
    `Try again in ${seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`}`,
  )
}

const throttles = new WeakMap<Server, Record<GuessedSecret, PasswordThrottle>>()

/** The throttle that all of a server shares for signed-in people, or for codes. */
export function throttleOf(server: Server, secret: GuessedSecret): PasswordThrottle {
  const elapsed = () => server.elapsed()
  const own = throttles.get(server) ?? {
    password: new PasswordThrottle(elapsed),
    code: new PasswordThrottle(elapsed, 'code'),
  }
  throttles.set(server, own)
  return own[secret]
}
