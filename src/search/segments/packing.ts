/** A growing byte buffer. Numbers are encoded as varints, seven bits a byte, lowest first. */
export class Packer {
  private bytes = new Uint8Array(1 << 12)
  length = 0

  byte(value: number): void {
    if (this.length === this.bytes.length) this.grow()
    this.bytes[this.length++] = value
  }

  number(value: number): void {
    let rest = value
    while (rest > 0x7f) {
      this.byte((rest & 0x7f) | 0x80)
      rest >>>= 7
    }
    this.byte(rest)
  }

  finish(): Uint8Array {
    return this.bytes.subarray(0, this.length)
  }

  private grow(): void {
    const larger = new Uint8Array(this.bytes.length * 2)
    larger.set(this.bytes)
    this.bytes = larger
  }
}

/** Decodes the number at an offset. */
export function numberAt(bytes: Uint8Array, at: number): number {
  let value = bytes[at]!
  if (value < 0x80) return value
  value &= 0x7f
  for (let shift = 7, next = at + 1; shift < 35; shift += 7, next++) {
    const byte = bytes[next]!
    value |= (byte & 0x7f) << shift
    if (byte < 0x80) break
  }
  return value >>> 0
}

/** The encoded length of a number in bytes. */
export const lengthOf = (value: number) =>
  value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x200000 ? 3 : value < 0x10000000 ? 4 : 5
