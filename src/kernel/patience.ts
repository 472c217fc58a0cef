/** Other processes write too, and are not heard. */
const LOOK_EVERY_MS = 1000
/** Under load, one look at many writes costs less than many looks at one. */
const GATHER_MS = 30
const ASK_EVERY_MS = 200
/** Where many wait they are answered one after the other, so that writers have their turn. */
const EACH_MS = 2.5
const LONGEST_PACE_MS = 500

interface Waiting<Answer> {
  /** Calls after each commit of this process, until what it answers is called. */
  onCommit?: ((heard: () => void) => () => void) | undefined
  seconds: number
  /** Nobody waits for the answer any more, or somebody may not. */
  until?: AbortSignal | undefined
  ask(): Promise<Answer>
  /** There is something in the answer, so that nobody need wait. */
  found(answer: Answer): boolean
}

/** Asks again after commits, until there is something or the caller's patience has ended. */
export async function patiently<Answer>(wish: Waiting<Answer>): Promise<Answer> {
  const { onCommit, seconds, until, ask, found } = wish
  if (!seconds || !onCommit) return ask()
  const end = performance.now() + seconds * 1000
  const bell = new Bell()
  waiting++
  const deaf = onCommit(() => bell.ring())
  const cut = () => bell.cut()
  until?.addEventListener('abort', cut)
  try {
    if (!until?.aborted) await bell.wait(pace())
    for (;;) {
      bell.listen()
      const answer = await ask()
      const left = end - performance.now()
      if (left <= 0 || until?.aborted || found(answer)) return answer
      await bell.wait(left)
      if (until?.aborted) return answer
    }
  } finally {
    waiting--
    deaf()
    until?.removeEventListener('abort', cut)
  }
}

/** In this process, by now. */
let waiting = 0

/** Nothing for few. */
function pace(): number {
  const ms = Math.min(LONGEST_PACE_MS, waiting * EACH_MS)
  return ms < GATHER_MS ? 0 : ms * (0.5 + Math.random() / 2)
}

/** Wakes one who waits, a little after something was written. */
class Bell {
  private asked = 0
  private rung = false
  private timer: Timer | undefined
  private wake: (() => void) | undefined
  private left = 0

  listen() {
    this.asked = performance.now()
    this.rung = false
  }

  ring() {
    if (this.rung) return
    this.rung = true
    if (this.wake) this.soon(this.wake)
  }

  cut() {
    clearTimeout(this.timer)
    this.wake?.()
  }

  async wait(left: number): Promise<void> {
    if (!left) return
    this.left = left
    await new Promise<void>((wake) => {
      this.wake = wake
      if (this.rung) this.soon(wake)
      else this.timer = setTimeout(wake, Math.min(left, LOOK_EVERY_MS))
    })
    this.wake = undefined
  }

  private soon(wake: () => void) {
    clearTimeout(this.timer)
    const again = this.asked + ASK_EVERY_MS - performance.now()
    this.timer = setTimeout(wake, Math.min(this.left, Math.max(GATHER_MS, again, pace())))
  }
}
