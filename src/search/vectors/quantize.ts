/** Bytes of the header: the inverse length of the vector as a 32-bit float. */
const HEADER_BYTES = 4
const MAX_VALUE = 127

/** Quantizes a vector to one byte per dimension, with its inverse length in front. */
export function quantize(vector: Float32Array): Uint8Array {
  const largest = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0)
  const numbers = Int8Array.from(vector, (value) =>
    largest ? Math.round((value / largest) * MAX_VALUE) : 0,
  )
  const length = Math.sqrt(numbers.reduce((sum, value) => sum + value * value, 0))
  const bytes = new Uint8Array(HEADER_BYTES + numbers.length)
  new DataView(bytes.buffer).setFloat32(0, length ? 1 / length : 0)
  bytes.set(new Uint8Array(numbers.buffer), HEADER_BYTES)
  return bytes
}

export interface Direction {
  share: number
  numbers: Int8Array
}

/** A view of the bytes, without a copy. */
export const directionOf = (bytes: Uint8Array): Direction => ({
  share: new DataView(bytes.buffer, bytes.byteOffset).getFloat32(0),
  numbers: new Int8Array(
    bytes.buffer,
    bytes.byteOffset + HEADER_BYTES,
    bytes.length - HEADER_BYTES,
  ),
})

export function cosine({ numbers: left, share }: Direction, other: Direction): number {
  const { numbers: right } = other
  if (left.length !== right.length) return 0
  let sum = 0
  for (let at = 0; at < left.length; at++) sum = (sum + Math.imul(left[at]!, right[at]!)) | 0
  return sum * share * other.share
}

const BITS = 32

const wordsFor = (size: number) => Math.ceil(size / BITS)

/** One bit per dimension: whether it is above the mean. Rough, but another 8 times smaller. */
export function signsOf(vector: Float32Array): Uint32Array {
  const signs = new Uint32Array(wordsFor(vector.length))
  const mean = vector.reduce((sum, value) => sum + value, 0) / vector.length
  for (const [index, value] of vector.entries())
    if (value > mean) signs[index >>> 5]! |= 1 << (index & (BITS - 1))
  return signs
}

const HALF = 0xffff
const BIT_COUNTS = new Uint8Array(HALF + 1)
for (let at = 1; at <= HALF; at++) BIT_COUNTS[at] = BIT_COUNTS[at >>> 1]! + (at & 1)

/** The number of sign bits in which a vector differs from the one at offset `from`. */
export function hammingDistance(signs: Uint32Array, others: Uint32Array, from: number): number {
  let sum = 0
  for (let at = 0; at < signs.length; at++) {
    const difference = signs[at]! ^ others[from + at]!
    sum += BIT_COUNTS[difference & HALF]! + BIT_COUNTS[difference >>> 16]!
  }
  return sum
}
