import { Fault } from '../../kernel/fault.ts'

const MOST = 10
const WINDOW_MS = 15 * 60 * 1000

/** Failed tries at a password. Each process counts its own; a restart forgives. */
export class Attempts {
  private tries = new Map<string, { failed: number; ends: number }>()
  private swept = 0

  /** Counts a try before it is judged, so that many at once are not all let through. */
  begin(who: string, now: Date): void {
    const time = now.getTime()
    this.sweep(time)
    const open = this.tries.get(who)
    const window = open && open.ends > time ? open : { failed: 0, ends: time + WINDOW_MS }
    this.tries.set(who, window)
    if (window.failed >= MOST) throw tooMany(Math.ceil((window.ends - time) / 60_000))
    window.failed++
  }

  forget(who: string): void {
    this.tries.delete(who)
  }

  private sweep(time: number) {
    if (time - this.swept < WINDOW_MS) return
    this.swept = time
    for (const [who, { ends }] of this.tries) if (ends <= time) this.tries.delete(who)
  }
}

const tooMany = (minutes: number) =>
  new Fault(
    'rate_limited',
    `That was the wrong password ${MOST} times`,
    {},
    `Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`,
  )
