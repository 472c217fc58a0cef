import type { Segment } from '../segments/segment.ts'
import { findSorted } from './find-sorted.ts'

const MAGIC = 0x636b6c73
const FORMAT = 1
/** Length of the header in 32-bit words: magic, format, digest, terms, dimensions. */
const HEADER_WORDS = 5
const MAX_VALUE = 127

/** A vector of a text; of unit length unless it was refined. */
export type Direction = Float64Array

/** What a search needs of a model. */
export interface SubjectModel {
  /** The direction of weighted terms; undefined if the model knows none of them. */
  directionOf(weights: Iterable<readonly [term: number, weight: number]>): Direction | undefined
  /** The direction of a passage. */
  passageDirection(segment: Segment, row: number): Direction | undefined
}

/** A vector for each term, of which the vectors of texts are sums. */
export interface TermVectors {
  /** Term hashes, ascending. */
  terms: Uint32Array
  /** Factors of the vectors. */
  factors: Float32Array
  /** A row of `width` values per term, which begins with its vector. */
  vectors: Float32Array
  width: number
  dimensions: number
}

/**
 * Latent semantic analysis of a board: a vector for each term of its passages. Texts with similar
 * vectors are about the same, also if they share no words. It is one block of bytes, the same in
 * memory and on disk.
 */
export class LatentModel implements SubjectModel {
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

  /** The smallest term hash. */
  get first(): number {
    return this.terms[0]!
  }

  encode(): Uint8Array {
    return new Uint8Array(this.buffer)
  }

  directionOf(weights: Iterable<readonly [term: number, weight: number]>): Direction | undefined {
    const sum = new Float64Array(this.dimensions)
    for (const [term, weight] of weights) this.addTerm(sum, term, weight)
    return normalized(sum)
  }

  /** Adds the vector of a term, if the model knows it. */
  addTerm(sum: Direction, term: number, weight: number): void {
    const row = findSorted(this.terms, term)
    if (row >= 0) this.add(sum, row, weight)
  }

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

  /** Splits the model into models of consecutive terms, each of at most so many bytes. */
  *blocks(maxBytes: number): Generator<LatentModel> {
    const { terms, scales, values, dimensions } = this
    const size = Math.floor((maxBytes - HEADER_WORDS * 4) / (dimensions + 8))
    for (let from = 0; from < terms.length; from += size) {
      const end = Math.min(terms.length, from + size)
      const part = emptyModel(end - from, dimensions)
      part.terms.set(terms.subarray(from, end))
      part.scales.set(scales.subarray(from, end))
      part.values.set(values.subarray(from * dimensions, end * dimensions))
      yield sealed(part.buffer)
    }
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
}

/** Scales a vector to unit length, in place. Undefined if it is zero. */
export function normalized(vector: Direction): Direction | undefined {
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
export function packModel(input: TermVectors): LatentModel {
  const { terms, factors, vectors, width, dimensions } = input
  const model = emptyModel(terms.length, dimensions)
  model.terms.set(terms)
  for (let row = 0; row < terms.length; row++) {
    const vector = vectors.subarray(row * width, row * width + dimensions)
    model.scales[row] = factors[row]! * quantize(vector, model.values, row * dimensions)
  }
  return sealed(model.buffer)
}

/** Stores a vector with one byte per value, and returns what one unit of these counts. */
export function quantize(vector: Float32Array | Direction, values: Int8Array, to: number): number {
  let largest = 0
  for (let at = 0; at < vector.length; at++) largest = Math.max(largest, Math.abs(vector[at]!))
  const factor = largest ? MAX_VALUE / largest : 0
  for (let at = 0; at < vector.length; at++)
    values[to + at] = (vector[at]! * factor + (vector[at]! < 0 ? -0.5 : 0.5)) | 0
  return largest / MAX_VALUE
}

function emptyModel(terms: number, dimensions: number) {
  const valueBytes = Math.ceil((terms * dimensions) / 4) * 4
  const buffer = new ArrayBuffer((HEADER_WORDS + 2 * terms) * 4 + valueBytes)
  new Uint32Array(buffer).set([MAGIC, FORMAT, 0, terms, dimensions])
  return {
    buffer,
    terms: new Uint32Array(buffer, HEADER_WORDS * 4, terms),
    scales: new Float32Array(buffer, (HEADER_WORDS + terms) * 4, terms),
    values: new Int8Array(buffer, (HEADER_WORDS + 2 * terms) * 4),
  }
}

function sealed(buffer: ArrayBuffer): LatentModel {
  new Uint32Array(buffer)[2] = digestOf(buffer)
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
