import type { Concept } from './concept.ts'
import type { Floor } from './floor.ts'
import type { Shelf } from './shelf.ts'

export interface Weights {
  k1: number
  title: number
  headings: number
  titleB: number
  bodyB: number
  /** Of a very short passage: as which share of the usual length it counts. */
  shortest: number
  /** The power of a term's rarity. */
  rarity: number
  /** Of the whole text that a passage is from. */
  source: number
  /** For what holds more of what is asked. */
  coverage: number
}

export interface Scored {
  place: number
  score: number
}

const best = (a: Scored, b: Scored) => b.score - a.score || a.place - b.place

/** What every leaf is worth, and what the text is worth that it is a part of. */
export class Scores {
  private readonly leaves: Float32Array
  private readonly groups: Float32Array
  private readonly held: Uint8Array
  private readonly now: Tally
  private readonly groupNow: Tally
  private concepts = 0

  constructor(
    private readonly floor: Floor,
    private readonly weights: Weights,
  ) {
    this.leaves = new Float32Array(floor.size)
    this.held = new Uint8Array(floor.size)
    this.groups = new Float32Array(floor.groups)
    this.now = new Tally(floor.size)
    this.groupNow = new Tally(floor.groups)
  }

  /** A leaf is worth what the best of the concept's terms makes it worth. */
  ask(concept: Concept): void {
    this.concepts++
    for (const { term, weight } of concept.terms) this.weigh(term, weight * concept.weight)
    this.now.pour(this.leaves, this.held)
    this.groupNow.pour(this.groups)
  }

  /** One that was not asked for. */
  suggest(concept: Concept): void {
    for (const { term, weight } of concept.terms) this.weigh(term, weight * concept.weight)
    this.now.pour(this.leaves)
    this.groupNow.pour(this.groups)
  }

  private weigh(term: number, weight: number): void {
    const { floor, now, groupNow } = this
    const most = floor.rarity(term) ** this.weights.rarity * weight
    floor.eachShelf(term, (shelf, number, at) => {
      const worth = this.weigher(shelf)
      const start = floor.starts[at]!
      const groupStart = floor.groupStarts[at]!
      const { of } = shelf.groups
      shelf.each(number, (leaf, inTitle, inHeadings, inBody) => {
        const one = most * worth(leaf, inTitle, inHeadings, inBody)
        now.take(start + leaf, one)
        groupNow.take(groupStart + of[leaf]!, one)
      })
    })
  }

  /** BM25F: what counts in a field is less in a long one, and the same again and again ever less. */
  private weigher(shelf: Shelf) {
    const { k1, title, headings, titleB, bodyB, shortest } = this.weights
    const { means } = this.floor
    const titles = shelf.lengths('title')
    const heads = shelf.lengths('headings')
    const bodies = shelf.lengths('body')
    const least = shortest * means.body
    return (leaf: number, inTitle: number, inHeadings: number, inBody: number): number => {
      let count = 0
      if (inTitle) count = (title * inTitle) / (1 - titleB + (titleB * titles[leaf]!) / means.title)
      if (inHeadings)
        count += (headings * inHeadings) / (1 - titleB + (titleB * heads[leaf]!) / means.headings)
      if (inBody) {
        const length = Math.max(least, bodies[leaf]!)
        count += inBody / (1 - bodyB + (bodyB * length) / means.body)
      }
      return ((k1 + 1) * count) / (k1 + count)
    }
  }

  /** The best of those that are still there, the best first. */
  best(count: number): Scored[] {
    const { leaves, held, groups, floor } = this
    const { source, coverage } = this.weights
    const some: Scored[] = []
    let least = 0
    for (const [at, stack] of floor.stacks.entries()) {
      const { shelf } = stack
      const ids = shelf.column('id')
      const start = floor.starts[at]!
      const groupStart = floor.groupStarts[at]!
      const { of, sizes } = shelf.groups
      for (let leaf = 0; leaf < shelf.size; leaf++) {
        const place = start + leaf
        const own = leaves[place]!
        if (!own) continue
        const group = of[leaf]!
        const score =
          own * (1 + (coverage * held[place]!) / this.concepts) +
          (source * groups[groupStart + group]!) / Math.sqrt(sizes[group]!)
        if (score <= least || stack.isGone(ids[leaf]!)) continue
        some.push({ place, score })
        if (some.length < count * 2) continue
        some.sort(best).length = count
        least = some[count - 1]!.score
      }
    }
    return some.sort(best).slice(0, count)
  }
}

/** The largest of several numbers for each place, and which places have any. */
class Tally {
  private readonly most: Float32Array
  private readonly taken: Uint32Array
  private count = 0

  constructor(size: number) {
    this.most = new Float32Array(size)
    this.taken = new Uint32Array(size)
  }

  take(place: number, worth: number): void {
    const before = this.most[place]!
    if (before >= worth) return
    if (before === 0) this.taken[this.count++] = place
    this.most[place] = worth
  }

  /** Adds them to others, and begins anew. */
  pour(into: Float32Array, counts?: Uint8Array): void {
    for (let at = 0; at < this.count; at++) {
      const place = this.taken[at]!
      into[place]! += this.most[place]!
      if (counts) counts[place]!++
      this.most[place] = 0
    }
    this.count = 0
  }
}
