import type { Segment } from '../segments/segment.ts'

const MAGIC = 0x636b6c73
const FORMAT = 1
/** Length of the header in 32-bit words: magic, format, digest, terms, dimensions. */
const HEADER_WORDS = 5
const MAX_VALUE = 127

/** A vector of a text; of unit length unless it was refined. */
export type Direction = Float64Array

/** A vector for each term, of which the vectors of texts are sums. */
export interface TermVectors {
  /** Term hashes, ascending. */
  terms: Uint32Array
  dimensions: number
  /** A row per term. */
  vectors: Float32Array
}

/**
 * Latent semantic analysis of a board: a vector for each term of its passages. Texts with similar
 * vectors are about the same, also if they share no words. It is one block of bytes, the same in
 * memory and on disk.
 */
export class LatentModel {
  readonly dimensions: number
  private readonly terms: Uint32Array
  /** What one unit of each term's values counts. */
  private readonly scales: Float32Array
  private readonly values: Int8Array
  /** The row of each term of a segment, or -1. */
  private readonly rowsBySegment = new WeakMap<Segment, Int32Array>()

  constructor(private readonly buffer: ArrayBuffer) {
    const [, , , terms = 0, dimensions = 0] = new Uint32Array(buffer, 0, HEADER_WORDS)
    this.dimensions = dimensions
    this.terms = new Uint32Array(buffer, HEADER_WORDS * 4, terms)
    this.scales = new Float32Array(buffer, (HEADER_WORDS + terms) * 4, terms)
    this.values = new Int8Array(buffer, (HEADER_WORDS + 2 * terms) * 4, terms * dimensions)
  }

  get bytes(): number {
    return this.buffer.byteLength
  }

  encode(): Uint8Array {
    return new Uint8Array(this.buffer)
  }

  /** The direction of weighted terms; undefined if the model knows none of them. */
  directionOf(weights: Iterable<readonly [term: number, weight: number]>): Direction | undefined {
    const sum = new Float64Array(this.dimensions)
    for (const [term, weight] of weights) {
      const row = this.find(term)
      if (row >= 0) this.add(sum, row, weight)
    }
    return normalized(sum)
  }

  /** The direction of a passage. */
  passageDirection(segment: Segment, row: number): Direction | undefined {
    const rows = this.rowsOf(segment)
    const numbers = segment.read(row).sort()
    const sum = new Float64Array(this.dimensions)
    for (let at = 0; at < numbers.length; ) {
      const number = numbers[at]!
      let end = at + 1
      while (numbers[end] === number) end++
      const known = rows[number]!
      if (known >= 0) this.add(sum, known, Math.log(1 + end - at))
      at = end
    }
    return normalized(sum)
  }

  private add(sum: Float64Array, row: number, weight: number): void {
    const { values, dimensions } = this
    const factor = weight * this.scales[row]!
    const from = row * dimensions
    for (let at = 0; at < dimensions; at++) sum[at]! += factor * values[from + at]!
  }

  private rowsOf(segment: Segment): Int32Array {
    const cached = this.rowsBySegment.get(segment)
    if (cached) return cached
    const rows = new Int32Array(segment.terms.length).fill(-1)
    let row = 0
    for (const [number, term] of segment.terms.entries()) {
      while (row < this.terms.length && this.terms[row]! < term) row++
      if (this.terms[row] === term) rows[number] = row
    }
    this.rowsBySegment.set(segment, rows)
    return rows
  }

  private find(term: number): number {
    let low = 0
    let high = this.terms.length - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      if (this.terms[middle]! === term) return middle
      if (this.terms[middle]! < term) low = middle + 1
      else high = middle - 1
    }
    return -1
  }
}

/** Scales a vector to unit length, in place. Undefined if it is zero. */
function normalized(vector: Direction): Direction | undefined {
  const length = Math.sqrt(dotProduct(vector, vector))
  if (!length) return undefined
  for (let at = 0; at < vector.length; at++) vector[at]! /= length
  return vector
}

export function dotProduct(left: Direction, right: Direction): number {
  let sum = 0
  for (let at = 0; at < left.length; at++) sum += left[at]! * right[at]!
  return sum
}

/** Packs term vectors with one byte per value and a scale per term. */
export function packModel({ terms, dimensions, vectors }: TermVectors): LatentModel {
  const valueBytes = Math.ceil((terms.length * dimensions) / 4) * 4
  const buffer = new ArrayBuffer((HEADER_WORDS + 2 * terms.length) * 4 + valueBytes)
  const words = new Uint32Array(buffer)
  const scales = new Float32Array(buffer, (HEADER_WORDS + terms.length) * 4, terms.length)
  const values = new Int8Array(buffer, (HEADER_WORDS + 2 * terms.length) * 4)
  words.set([MAGIC, FORMAT, 0, terms.length, dimensions])
  words.set(terms, HEADER_WORDS)
  for (let row = 0; row < terms.length; row++) {
    const from = row * dimensions
    let largest = 0
    for (let at = from; at < from + dimensions; at++)
      largest = Math.max(largest, Math.abs(vectors[at]!))
    scales[row] = largest / MAX_VALUE
    const factor = largest ? MAX_VALUE / largest : 0
    // Storing a number as an integer drops its fraction.
    for (let at = from; at < from + dimensions; at++)
      values[at] = vectors[at]! * factor + (vectors[at]! < 0 ? -0.5 : 0.5)
  }
  words[2] = digestOf(buffer)
  return new LatentModel(buffer)
}

/** Decodes the result of `encode`; undefined for anything else. */
export function decodeModel(bytes: Uint8Array): LatentModel | undefined {
  const buffer = bytes.slice().buffer
  if (buffer.byteLength < HEADER_WORDS * 4 || buffer.byteLength % 4) return undefined
  const words = new Uint32Array(buffer)
  const isComplete = words[0] === MAGIC && words[1] === FORMAT && words[2] === digestOf(buffer)
  return isComplete ? new LatentModel(buffer) : undefined
}

/** The digest of everything after the digest field itself. */
const digestOf = (buffer: ArrayBuffer) => Bun.hash.xxHash32(new Uint8Array(buffer, 12))
