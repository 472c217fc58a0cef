import type { Packer } from './packing.ts'

type Worded = Record<'title' | 'headings' | 'body', Uint32Array>

/** Each term that occurs and its number, in the order of the hashes. */
export function termsIn(leaves: readonly Worded[]): Map<number, number> {
  const seen = new Set<number>()
  for (const { title, headings, body } of leaves)
    for (const words of [title, headings, body]) for (const term of words) seen.add(term)
  const sorted = Uint32Array.from(seen).sort()
  return new Map(Array.from(sorted, (term, at) => [term, at]))
}

/** Of every term the leaves that hold it, each followed by its counts in a byte. */
export function countsOf(
  leaves: readonly Worded[],
  terms: ReadonlyMap<number, number>,
): number[][] {
  const counts: number[][] = Array.from(terms, () => [])
  for (const [at, leaf] of leaves.entries()) {
    const here = new Map<number, number>()
    for (const term of leaf.title) add(here, term, 0x40, 0xc0)
    for (const term of leaf.headings) add(here, term, 0x10, 0x30)
    for (const term of leaf.body) add(here, term, 0x01, 0x0f)
    for (const [term, packed] of here) counts[terms.get(term)!]!.push(at, packed)
  }
  return counts
}

/** One more in the bits of `mask`, unless they are full. */
function add(counts: Map<number, number>, term: number, one: number, mask: number): void {
  const before = counts.get(term) ?? 0
  if ((before & mask) !== mask) counts.set(term, before + one)
}

export function pack(packer: Packer, counts: readonly number[][]): number[] {
  return counts.map((pairs) => {
    const start = packer.length
    packer.number(pairs.length / 2)
    let before = -1
    for (let at = 0; at < pairs.length; at += 2) {
      packer.number(pairs[at]! - before)
      packer.byte(pairs[at + 1]!)
      before = pairs[at]!
    }
    return start
  })
}
