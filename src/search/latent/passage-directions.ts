import { findSorted } from './find-sorted.ts'
import { type Direction, normalized, quantize } from './latent-model.ts'

const MAGIC = 0x636b6470
/** Length of the header in 32-bit words: magic, digest, passages, dimensions. */
const HEADER_WORDS = 4

/** The directions of passages with one byte per value, in one block of bytes. */
export class PassageDirections {
  readonly dimensions: number
  /** Ascending. */
  private readonly ids: Uint32Array
  /** A row of zeros has no direction. */
  private readonly values: Int8Array

  constructor(private readonly buffer: ArrayBuffer) {
    const [, , count = 0, dimensions = 0] = new Uint32Array(buffer, 0, HEADER_WORDS)
    this.dimensions = dimensions
    this.ids = new Uint32Array(buffer, HEADER_WORDS * 4, count)
    this.values = new Int8Array(buffer, (HEADER_WORDS + count) * 4, count * dimensions)
  }

  static pack(
    directions: readonly (readonly [id: number, Direction | undefined])[],
    dimensions: number,
  ): PassageDirections {
    const count = directions.length
    const buffer = new ArrayBuffer((HEADER_WORDS + count) * 4 + count * dimensions)
    const header = new Uint32Array(buffer, 0, HEADER_WORDS)
    header.set([MAGIC, 0, count, dimensions])
    const packed = new PassageDirections(buffer)
    for (const [at, [id, direction]] of directions.entries()) {
      packed.ids[at] = id
      if (direction) quantize(direction, packed.values, at * dimensions)
    }
    header[1] = digestOf(buffer)
    return packed
  }

  /** Decodes the result of `encode`; undefined for anything else. */
  static decode(bytes: Uint8Array): PassageDirections | undefined {
    const buffer = bytes.slice().buffer
    if (buffer.byteLength < HEADER_WORDS * 4) return undefined
    const [magic, digest] = new Uint32Array(buffer, 0, HEADER_WORDS)
    const isComplete = magic === MAGIC && digest === digestOf(buffer)
    return isComplete ? new PassageDirections(buffer) : undefined
  }

  encode(): Uint8Array {
    return new Uint8Array(this.buffer)
  }

  get bytes(): number {
    return this.buffer.byteLength
  }

  has(id: number): boolean {
    return findSorted(this.ids, id) >= 0
  }

  of(id: number): Direction | undefined {
    const from = findSorted(this.ids, id) * this.dimensions
    return normalized(Float64Array.from(this.values.subarray(from, from + this.dimensions)))
  }
}

/** The digest of everything after the digest field itself. */
const digestOf = (buffer: ArrayBuffer) => Bun.hash.xxHash32(new Uint8Array(buffer, 8))
