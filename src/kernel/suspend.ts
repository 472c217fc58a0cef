import { Fault } from './fault.ts'

/** Attempts beside those of other requests, which may change the text each time. */
const CONCURRENT_ATTEMPTS = 4
/** Attempts while all other requests that need more than that wait. */
const EXCLUSIVE_ATTEMPTS = 16

/** Thrown to end a transaction that needs the result of slow work. */
class Suspended extends Error {
  constructor(
    readonly key: string,
    readonly work: () => Promise<unknown>,
  ) {
    super('A transaction ended early: it needs work that is done outside of it')
  }
}

/**
 * Results of slow work that depends on what a transaction reads, such as converting a text. A
 * transaction never waits for such work: the first `resolve` ends the transaction, the work is
 * done outside of it, and `runUntilResolved` starts the transaction again with the result.
 */
export class Results {
  private readonly outcomes = new Map<string, PromiseSettledResult<unknown>>()

  resolve<T>(key: string, work: () => Promise<T>): T {
    const outcome = this.outcomes.get(key)
    if (!outcome) throw new Suspended(key, work)
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value as T
  }

  async runUntilResolved<T>(transaction: () => Promise<T>): Promise<T> {
    const done =
      (await this.attempt(transaction, CONCURRENT_ATTEMPTS)) ??
      (await oneAtATime(() => this.attempt(transaction, EXCLUSIVE_ATTEMPTS)))
    if (done) return done.value
    throw new Fault(
      'unavailable',
      'The text changes faster than it can be converted',
      { retry_after: 1 },
      'Try again in 1 s',
    )
  }

  /** Returns undefined if every attempt needed other work. */
  private async attempt<T>(transaction: () => Promise<T>, attempts: number) {
    for (let count = 0; count < attempts; count++)
      try {
        return { value: await transaction() }
      } catch (error) {
        if (!(error instanceof Suspended)) throw error
        const [outcome] = await Promise.allSettled([error.work()])
        this.outcomes.set(error.key, outcome!)
      }
    return undefined
  }
}

let lastJob: Promise<unknown> = Promise.resolve()

/** Starts each job once the one before has ended, successfully or not. */
function oneAtATime<T>(job: () => Promise<T>): Promise<T> {
  const running = lastJob.then(job, job)
  lastJob = running
  return running
}
