import { Fault } from '../../kernel/fault.ts'

/** Wrong passwords that cost no wait. */
const FREE = 5
const FIRST_WAIT_MS = 5000
const LONGEST_WAIT_MS = 15 * 60 * 1000
/** Failures are forgotten after this long without another. */
const FORGOTTEN_AFTER_MS = 60 * 60 * 1000
/** From so many failures on, sources that an account does not know get one free try. */
const UNDER_ATTACK = 50
const MOST_ENTRIES = 100_000

interface Failures {
  count: number
  /** No try is accepted before this moment. */
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
 * Slows down guessing of passwords. Each pair of account and source has a wait of its own, which
 * doubles with every failure. An account that is being attacked only makes its unknown sources wait
 * sooner, so no number of failures from elsewhere refuses a right password at the first try. Each
 * process counts by itself, and a restart forgets.
 */
export class PasswordThrottle {
  private readonly failures = new Map<string, Failures>()

  /** `elapsed` is a clock in milliseconds that never jumps. */
  constructor(private readonly elapsed: () => number) {}

  /** Counts a try before it is judged, so that many at once are not all accepted. */
  begin(account: string, source: Source): void {
    const now = this.elapsed()
    const attacked = (this.read(wholeOf(account), now)?.count ?? 0) >= UNDER_ATTACK
    const pair = pairOf(account, source)
    const before = this.read(pair, now)
    if (before && before.until > now) throw tooMany(before.count, before.until - now)
    const count = (before?.count ?? 0) + 1
    const over = count - (attacked && !source.isKnown ? 1 : FREE)
    const wait = over < 0 ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** over)
    this.keep(pair, { count, until: now + wait, last: now })
    if (!source.isKnown) this.add(account, now, 1)
  }

  /** Forgives the source, whose password was right. */
  succeed(account: string, source: Source): void {
    this.failures.delete(pairOf(account, source))
    if (!source.isKnown) this.add(account, this.elapsed(), -1)
  }

  private add(account: string, now: number, more: number) {
    const whole = wholeOf(account)
    const count = Math.max(0, (this.read(whole, now)?.count ?? 0) + more)
    this.keep(whole, { count, until: 0, last: now })
  }

  private read(key: string, now: number): Failures | undefined {
    const found = this.failures.get(key)
    return found && Math.max(found.last, found.until) + FORGOTTEN_AFTER_MS > now ? found : undefined
  }

  /** The map is in the order of the last tries, so that the oldest make room. */
  private keep(key: string, failures: Failures) {
    this.failures.delete(key)
    this.failures.set(key, failures)
    if (this.failures.size <= MOST_ENTRIES) return
    const [oldest] = this.failures.keys()
    this.failures.delete(oldest!)
  }
}

/** No source has a space in its name, so no account can be written like a pair. */
const pairOf = (account: string, { name }: Source) => `${name} ${account}`
const wholeOf = (account: string) => ` ${account}`

const tooMany = (failures: number, ms: number) => {
  const seconds = Math.ceil(ms / 1000)
  return new Fault(
    'rate_limited',
    `That was the wrong password ${failures} times`,
    { retry_after: seconds },
    `Try again in ${seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`}`,
  )
}
