import type { Unembedded } from './client.ts'

/** Milliseconds. */
export interface Pauses {
  /** After the first trouble; twice as long after each further one. */
  first: number
  most: number
  /** After a key was refused: nobody but the operator can help. */
  refused: number
}

const MOST_REST = 3600_000

/** Whether an endpoint may be asked again, by how it did last. */
export class Gate {
  #troubles = 0
  #until = 0

  constructor(
    private readonly pauses: Pauses,
    private readonly now: () => number,
    private readonly chance: () => number = Math.random,
  ) {}

  /** Milliseconds until it may be asked; none: now. */
  get rest(): number {
    return Math.max(0, this.#until - this.now())
  }

  /** True where it was in trouble before. */
  open(): boolean {
    const wasShut = this.#troubles > 0
    this.#troubles = 0
    this.#until = 0
    return wasShut
  }

  shut({ trouble, rest }: Pick<Unembedded, 'trouble' | 'rest'>): void {
    this.#troubles++
    const { first, most, refused } = this.pauses
    const grown = Math.min(most, first * 2 ** Math.min(30, this.#troubles - 1))
    // Servers that lost the same endpoint do not come back all at once.
    const own = trouble === 'refused' ? refused : grown * (0.5 + this.chance() / 2)
    const asked = rest && Math.min(rest, MOST_REST) * (1 + this.chance() / 10)
    this.#until = this.now() + (asked ?? own)
  }
}
