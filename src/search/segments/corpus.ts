import type { SubjectModel } from '../latent/latent-model.ts'
import type { Segment } from './segment.ts'

/** A segment, and which of its passages were deleted since it was built. */
export interface LiveSegment {
  segment: Segment
  isDeleted(id: number): boolean
  /** The model of the board that the segment is from, if it has one. */
  model?: SubjectModel | undefined
}

/** A passage of a corpus: its segment and its row there. */
export interface PassageRef {
  segment: LiveSegment
  row: number
}

/** The segments that are searched, seen as one collection of passages. */
export class Corpus {
  readonly size: number
  readonly groups: number
  /** Mean length of each field. */
  readonly means: Record<'title' | 'headings' | 'body', number>
  /** The first passage index and the first group index of each segment. */
  readonly starts: number[] = []
  readonly groupStarts: number[] = []
  private readonly lookups = new Map<number, { numbers: Int32Array; spread: number }>()

  constructor(readonly segments: readonly LiveSegment[]) {
    let size = 0
    let groups = 0
    const sums = { title: 0, headings: 0, body: 0 }
    for (const { segment } of segments) {
      this.starts.push(size)
      this.groupStarts.push(groups)
      size += segment.size
      groups += segment.groups.sizes.length
      for (const field of ['title', 'headings', 'body'] as const) sums[field] += segment.sum(field)
    }
    this.size = size
    this.groups = groups
    const mean = (sum: number) => Math.max(1, sum / Math.max(1, size))
    this.means = { title: mean(sums.title), headings: mean(sums.headings), body: mean(sums.body) }
  }

  /** The number of passages with a term. */
  documentFrequency(term: number): number {
    return this.lookUp(term).spread
  }

  /** Inverse document frequency, as in BM25. */
  rarity(term: number): number {
    const frequency = this.documentFrequency(term)
    return Math.log(1 + (this.size - frequency + 0.5) / (frequency + 0.5))
  }

  /** Words in more than a third of the passages are mostly the stop words of their language. */
  isCommon(term: number): boolean {
    return this.rarity(term) < 1
  }

  /** Visits each segment with the term: the segment, the term's index there, the segment's index. */
  eachSegment(term: number, visit: (segment: Segment, number: number, at: number) => void): void {
    const { numbers } = this.lookUp(term)
    for (let at = 0; at < numbers.length; at++)
      if (numbers[at]! >= 0) visit(this.segments[at]!.segment, numbers[at]!, at)
  }

  locate(index: number): PassageRef {
    let low = 0
    let high = this.starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (this.starts[middle]! <= index) low = middle
      else high = middle - 1
    }
    return { segment: this.segments[low]!, row: index - this.starts[low]! }
  }

  private lookUp(term: number): { numbers: Int32Array; spread: number } {
    const cached = this.lookups.get(term)
    if (cached) return cached
    const numbers = new Int32Array(this.segments.length)
    let spread = 0
    for (let at = 0; at < numbers.length; at++) {
      const { segment } = this.segments[at]!
      const number = segment.find(term)
      numbers[at] = number
      if (number >= 0) spread += segment.documentFrequency(number)
    }
    const found = { numbers, spread }
    this.lookups.set(term, found)
    return found
  }
}
