/** Four bytes that make the product of two vectors the cosine between them, then a byte a number. */
const HEAD = 4
const MOST = 127

/** A vector as it is kept: where it points to, each number in a byte. */
export function packed(vector: Float32Array): Uint8Array {
  const largest = vector.reduce((most, one) => Math.max(most, Math.abs(one)), 0)
  const numbers = Int8Array.from(vector, (one) =>
    largest ? Math.round((one / largest) * MOST) : 0,
  )
  const length = Math.sqrt(numbers.reduce((sum, one) => sum + one * one, 0))
  const bytes = new Uint8Array(HEAD + numbers.length)
  new DataView(bytes.buffer).setFloat32(0, length ? 1 / length : 0)
  bytes.set(new Uint8Array(numbers.buffer), HEAD)
  return bytes
}

export interface Direction {
  share: number
  numbers: Int8Array
}

/** Looks into the bytes, and copies none. */
export const unpacked = (bytes: Uint8Array): Direction => ({
  share: new DataView(bytes.buffer, bytes.byteOffset).getFloat32(0),
  numbers: new Int8Array(bytes.buffer, bytes.byteOffset + HEAD, bytes.length - HEAD),
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

/** A bit a number: whether it is above the mean of all. Rough, but 8 times smaller still. */
export function signsOf(vector: Float32Array): Uint32Array {
  const signs = new Uint32Array(wordsFor(vector.length))
  const mean = vector.reduce((sum, one) => sum + one, 0) / vector.length
  for (const [at, one] of vector.entries())
    if (one > mean) signs[at >>> 5]! |= 1 << (at & (BITS - 1))
  return signs
}

const HALF = 0xffff
const ONES = new Uint8Array(HALF + 1)
for (let at = 1; at <= HALF; at++) ONES[at] = ONES[at >>> 1]! + (at & 1)

/** In how many signs a vector differs from the one that lies at that word among others. */
export function apartness(signs: Uint32Array, all: Uint32Array, from: number): number {
  let sum = 0
  for (let at = 0; at < signs.length; at++) {
    const differing = signs[at]! ^ all[from + at]!
    sum += ONES[differing & HALF]! + ONES[differing >>> 16]!
  }
  return sum
}
