import type { Packer } from './packing.ts'

type TermFields = Record<'title' | 'headings' | 'body', Uint32Array>

/** Numbers the distinct terms in ascending order. */
export function numberTerms(passages: readonly TermFields[]): Map<number, number> {
  const terms = new Set<number>()
  for (const { title, headings, body } of passages)
    for (const words of [title, headings, body]) for (const term of words) terms.add(term)
  const sorted = Uint32Array.from(terms).sort()
  return new Map(Array.from(sorted, (term, at) => [term, at]))
}

/** For each term, the passages that contain it, each followed by a byte with its counts per field. */
export function countsOf(
  passages: readonly TermFields[],
  terms: ReadonlyMap<number, number>,
): number[][] {
  const counts: number[][] = Array.from(terms, () => [])
  for (const [row, passage] of passages.entries()) {
    const passageCounts = new Map<number, number>()
    for (const term of passage.title) add(passageCounts, term, 0x40, 0xc0)
    for (const term of passage.headings) add(passageCounts, term, 0x10, 0x30)
    for (const term of passage.body) add(passageCounts, term, 0x01, 0x0f)
    for (const [term, packed] of passageCounts) counts[terms.get(term)!]!.push(row, packed)
  }
  return counts
}

/** Increments the counter in the bits of `mask`, which saturates. */
function add(counts: Map<number, number>, term: number, increment: number, mask: number): void {
  const before = counts.get(term) ?? 0
  if ((before & mask) !== mask) counts.set(term, before + increment)
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
