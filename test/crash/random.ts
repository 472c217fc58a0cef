/** Reproducible random numbers: the same seed gives the same numbers. */
export class Random {
  constructor(private state: number) {}

  /** From 0 up to, but not including, 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  between(min: number, max: number): number {
    return min + this.below(max - min + 1)
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!
  }

  /** True with a probability of 1 / `many`. */
  onceIn(n: number): boolean {
    return this.below(n) === 0
  }
}
