import type { Outcome } from './api.ts'

export interface Progress extends Record<Outcome, number> {
  phase: 'records' | 'files'
  done: number
  /** An estimate for records. */
  total: number
  perSecond: number
  /** Undefined at the beginning. */
  secondsLeft: number | undefined
}

/** The rate is that of the last seconds, but of at least so many calls: one may take long. */
const WINDOW_MS = 15_000
const MIN_CALLS = 20

/** Counts what is done, and estimates how long the rest takes. */
export class Pace {
  private phase: Progress['phase'] = 'records'
  private done = 0
  private marks: { at: number; done: number }[]

  constructor(
    private total: number,
    private readonly onProgress: (progress: Progress) => void,
    private readonly now: () => number,
  ) {
    this.marks = [{ at: now(), done: 0 }]
  }

  begin(phase: Progress['phase'], total: number): void {
    this.phase = phase
    this.total = total
    this.done = 0
    this.marks = [{ at: this.now(), done: 0 }]
  }

  /** More records than were expected. */
  expect(records: number): void {
    this.total += records
  }

  add(count: number, outcomes: Record<Outcome, number>): void {
    this.done += count
    const at = this.now()
    this.marks.push({ at, done: this.done })
    while (this.marks.length > MIN_CALLS && at - this.marks[1]!.at > WINDOW_MS) this.marks.shift()
    const [first] = this.marks
    const seconds = (at - first!.at) / 1000
    const perSecond = seconds > 0 ? (this.done - first!.done) / seconds : 0
    const total = Math.max(this.total, this.done)
    this.onProgress({
      ...{ phase: this.phase, done: this.done, total, ...outcomes, perSecond },
      secondsLeft: perSecond ? (total - this.done) / perSecond : undefined,
    })
  }
}
