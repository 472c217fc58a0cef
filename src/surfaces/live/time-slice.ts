/** The longest time slice, in steps and in milliseconds. */
const MAX_STEPS = 64
const MAX_MS = 4

/** Splits long work into short slices, so that other work on the thread runs in between. */
export class TimeSlice {
  private steps = 0
  private startedAt = performance.now()
  private pause: Promise<void> | undefined

  /** Counts a step. Returns a promise to wait for if the slice was long enough. */
  step(weight = 1): Promise<void> | undefined {
    if (this.pause) return this.pause
    this.steps += weight
    if (this.steps < MAX_STEPS && performance.now() - this.startedAt < MAX_MS) return undefined
    this.pause = new Promise((resume) =>
      setImmediate(() => {
        this.steps = 0
        this.startedAt = performance.now()
        this.pause = undefined
        resume()
      }),
    )
    return this.pause
  }
}
