import { Fault } from './fault.ts'

/** A text that changes each time it was converted leaves no other answer. */
const MOST_ROUNDS = 8

/** Ends a transaction that needs the result of slow work. */
class Suspended extends Error {
  constructor(
    readonly key: string,
    readonly work: () => Promise<unknown>,
  ) {
    super('A transaction ended early: it needs work that is done outside of it')
  }
}

/**
 * Results of slow work (converting a text, comparing two) that `run` needs for what it read. A
 * transaction never waits for it: the first `resolve` ends the transaction, the work is done, and
 * `run` starts again with the result.
 */
export class Results {
  private readonly known = new Map<string, PromiseSettledResult<unknown>>()

  resolve<T>(key: string, work: () => Promise<T>): T {
    const known = this.known.get(key)
    if (!known) throw new Suspended(key, work)
    if (known.status === 'rejected') throw known.reason
    return known.value as T
  }

  async through<T>(transaction: () => Promise<T>): Promise<T> {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      try {
        return await transaction()
      } catch (error) {
        if (!(error instanceof Suspended)) throw error
        const [result] = await Promise.allSettled([error.work()])
        this.known.set(error.key, result!)
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
