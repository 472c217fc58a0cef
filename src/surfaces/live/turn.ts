/** As much of a long piece of work as is done at a stretch. */
const STEPS = 64
const SPAN_MS = 4

/** Shares the thread: who has much to do stops here now and then, and lets others in between. */
export class Turn {
  private steps = 0
  private began = performance.now()
  private pause: Promise<void> | undefined

  /** A promise to wait for, once this turn was long enough. */
  step(weight = 1): Promise<void> | undefined {
    if (this.pause) return this.pause
    this.steps += weight
    if (this.steps < STEPS && performance.now() - this.began < SPAN_MS) return undefined
    this.pause = new Promise((next) =>
      setImmediate(() => {
        this.steps = 0
        this.began = performance.now()
        this.pause = undefined
        next()
      }),
    )
    return this.pause
  }
}
