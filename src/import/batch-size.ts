/** How many records a call may have at the server. */
export const MAX_RECORDS = 50
const MIN_RECORDS = 5
/** A call may have 5 MB. */
export const MAX_BYTES = 4_500_000

/** A write of the server blocks other people, so it should take no longer. */
const TARGET_MS = 60

/** Finds how many records to send at once, so that each call keeps the server only for a moment. */
export class BatchSize {
  private size = 20
  /** How long the fastest call took: an estimate of the time on the network. */
  private fastest = Number.POSITIVE_INFINITY

  get records(): number {
    return Math.round(this.size)
  }

  /** Learns from a call, which may have had no records. */
  learn(milliseconds: number, records: number): void {
    this.fastest = Math.min(this.fastest, milliseconds)
    if (!records) return
    const busy = Math.max(milliseconds - this.fastest, 1)
    const fitting = (records * TARGET_MS) / busy
    // Half of the way, so that one slow call changes little.
    const next = (this.size + Math.min(fitting, this.size * 2)) / 2
    this.size = Math.min(MAX_RECORDS, Math.max(MIN_RECORDS, next))
  }
}
