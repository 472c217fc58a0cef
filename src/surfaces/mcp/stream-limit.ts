import { Fault } from '../../kernel/fault.ts'

const MAX_STREAMS = 100

/** Limits how many streams an actor has open in this process. */
export class StreamLimit {
  private readonly counts = new Map<number, number>()

  /** Counts a stream of the actor. Returns what to call when it has ended. */
  take(actor_id: number): () => void {
    const count = this.counts.get(actor_id) ?? 0
    if (count >= MAX_STREAMS)
      throw new Fault(
        'rate_limited',
        `You already have ${MAX_STREAMS} open streams`,
        {},
        'Close one, or use POST /mcp, which needs none',
      )
    this.counts.set(actor_id, count + 1)
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      const rest = this.counts.get(actor_id)! - 1
      if (rest) this.counts.set(actor_id, rest)
      else this.counts.delete(actor_id)
    }
  }
}
