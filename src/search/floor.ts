import type { Shelf } from './shelf.ts'

/** A shelf, and what was taken from it since it was made. */
export interface Stack {
  shelf: Shelf
  isGone(id: number): boolean
}

/** A leaf among all those that are asked: the shelf and the place on it. */
export interface Spot {
  stack: Stack
  leaf: number
}

/** The shelves that a question is asked of, as if they were one. */
export class Floor {
  readonly size: number
  readonly groups: number
  /** How many words a leaf has in each field. */
  readonly means: Record<'title' | 'headings' | 'body', number>
  /** Where the leaves and the groups of each shelf begin. */
  readonly starts: number[] = []
  readonly groupStarts: number[] = []
  private readonly found = new Map<number, { numbers: Int32Array; spread: number }>()

  constructor(readonly stacks: readonly Stack[]) {
    let size = 0
    let groups = 0
    const sums = { title: 0, headings: 0, body: 0 }
    for (const { shelf } of stacks) {
      this.starts.push(size)
      this.groupStarts.push(groups)
      size += shelf.size
      groups += shelf.groups.sizes.length
      for (const field of ['title', 'headings', 'body'] as const) sums[field] += shelf.sum(field)
    }
    this.size = size
    this.groups = groups
    const mean = (sum: number) => Math.max(1, sum / Math.max(1, size))
    this.means = { title: mean(sums.title), headings: mean(sums.headings), body: mean(sums.body) }
  }

  /** How many leaves hold a term. */
  spread(term: number): number {
    return this.look(term).spread
  }

  /** How much it tells that a leaf holds it. */
  rarity(term: number): number {
    const spread = this.spread(term)
    return Math.log(1 + (this.size - spread + 0.5) / (spread + 0.5))
  }

  /** Each shelf that has the term, its number there, and which of the shelves it is. */
  eachShelf(term: number, see: (shelf: Shelf, number: number, at: number) => void): void {
    const { numbers } = this.look(term)
    for (let at = 0; at < numbers.length; at++)
      if (numbers[at]! >= 0) see(this.stacks[at]!.shelf, numbers[at]!, at)
  }

  spot(place: number): Spot {
    let low = 0
    let high = this.starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (this.starts[middle]! <= place) low = middle
      else high = middle - 1
    }
    return { stack: this.stacks[low]!, leaf: place - this.starts[low]! }
  }

  private look(term: number): { numbers: Int32Array; spread: number } {
    const before = this.found.get(term)
    if (before) return before
    const numbers = new Int32Array(this.stacks.length)
    let spread = 0
    for (let at = 0; at < numbers.length; at++) {
      const { shelf } = this.stacks[at]!
      const number = shelf.find(term)
      numbers[at] = number
      if (number >= 0) spread += shelf.spread(number)
    }
    const found = { numbers, spread }
    this.found.set(term, found)
    return found
  }
}
