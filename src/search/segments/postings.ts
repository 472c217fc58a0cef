import type { Packer } from './packing.ts'

type TermFields = Record<'title' | 'headings' | 'body', Uint32Array>

/** The distinct terms of passages, ascending, and the terms of each passage as indexes of them. */
interface NumberedTerms {
  terms: Uint32Array
  numbers: Uint32Array[]
}

/** A term is looked up once per occurrence, which is most of the work of building a segment. */
export function numberTerms(passages: readonly TermFields[]): NumberedTerms {
  const firstNumbers = new Map<number, number>()
  const numbers = passages.map(({ title, headings, body }) => {
    const read = new Uint32Array(title.length + headings.length + body.length)
    read.set(title)
    read.set(headings, title.length)
    read.set(body, title.length + headings.length)
    for (let at = 0; at < read.length; at++) {
      const known = firstNumbers.get(read[at]!)
      if (known === undefined) firstNumbers.set(read[at]!, firstNumbers.size)
      read[at] = known ?? firstNumbers.size - 1
    }
    return read
  })
  const terms = Uint32Array.from(firstNumbers.keys()).sort()
  const places = new Uint32Array(terms.length)
  for (let at = 0; at < terms.length; at++) places[firstNumbers.get(terms[at]!)!] = at
  for (const read of numbers) for (let at = 0; at < read.length; at++) read[at] = places[read[at]!]!
  return { terms, numbers }
}

/** A term in a passage: the number of the term, the row of the passage, and its packed counts. */
interface Occurrences {
  length: number
  terms: Uint32Array
  rows: Uint32Array
  counts: Uint8Array
}

/** The terms of each passage, each once, in the order of the passages. */
function occurrencesOf(
  passages: readonly TermFields[],
  { terms, numbers }: NumberedTerms,
): Occurrences {
  const most = numbers.reduce((sum, { length }) => sum + length, 0)
  const found = {
    length: 0,
    terms: new Uint32Array(most),
    rows: new Uint32Array(most),
    counts: new Uint8Array(most),
  }
  const counts = new Uint8Array(terms.length)
  for (const [row, { title, headings }] of passages.entries()) {
    const first = found.length
    const read = numbers[row]!
    const body = title.length + headings.length
    for (let at = 0; at < read.length; at++) {
      const term = read[at]!
      const before = counts[term]!
      if (!before) found.terms[found.length++] = term
      if (at >= body) counts[term] = increment(before, 0x01, 0x0f)
      else if (at >= title.length) counts[term] = increment(before, 0x10, 0x30)
      else counts[term] = increment(before, 0x40, 0xc0)
    }
    found.rows.fill(row, first, found.length)
    for (let at = first; at < found.length; at++) {
      found.counts[at] = counts[found.terms[at]!]!
      counts[found.terms[at]!] = 0
    }
  }
  return found
}

/** Increments the counter in the bits of `mask`, which saturates. */
const increment = (counts: number, step: number, mask: number): number =>
  (counts & mask) === mask ? counts : counts + step

/**
 * Packs for each term the passages that contain it, each followed by a byte with its counts per
 * field. Returns where each term begins.
 */
export function packPostings(
  packer: Packer,
  passages: readonly TermFields[],
  numbered: NumberedTerms,
): Uint32Array {
  const { length, terms, rows, counts } = occurrencesOf(passages, numbered)
  const ends = new Uint32Array(numbered.terms.length + 1)
  for (let at = 0; at < length; at++) ends[terms[at]! + 1]!++
  for (let term = 1; term < ends.length; term++) ends[term]! += ends[term - 1]!
  const next = ends.slice()
  const byTerm = new Uint32Array(length)
  for (let at = 0; at < length; at++) byTerm[next[terms[at]!]!++] = at
  const starts = new Uint32Array(numbered.terms.length)
  for (let term = 0; term < starts.length; term++) {
    starts[term] = packer.length
    packer.number(ends[term + 1]! - ends[term]!)
    let before = -1
    for (let at = ends[term]!; at < ends[term + 1]!; at++) {
      const row = rows[byTerm[at]!]!
      packer.number(row - before)
      packer.byte(counts[byTerm[at]!]!)
      before = row
    }
  }
  return starts
}
