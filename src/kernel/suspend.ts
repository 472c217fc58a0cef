import { Fault } from './fault.ts'

/** A text may change after each conversion, so the number of attempts is limited. */
const MAX_ROUNDS = 8

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
 * Results of slow work that depends on what `run` reads, such as converting a text. A transaction
 * never waits for such work: the first `resolve` ends the transaction, the work is done outside of
 * it, and `run` starts again with the result.
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
    for (let round = 0; round < MAX_ROUNDS; round++) {
      try {
        return await transaction()
      } catch (error) {
        if (!(error instanceof Suspended)) throw error
        const [result] = await Promise.allSettled([error.work()])
        this.outcomes.set(error.key, result!)
      }
    }
    throw new Fault(
      'unavailable',
      'The text changes faster than it can be converted',
      { retry_after: 1 },
      'Try again in 1 s',
    )
  }
}
