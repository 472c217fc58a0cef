import type { Segment } from '../segments/segment.ts'

/** Words that must match for an overlap, and the longest overlap of two passages. */
const MIN_SHARED = 6
const MAX_OVERLAP = 60

/** The terms of a passage's body. */
export function bodyOf(segment: Segment, row: number): Uint32Array {
  const start = segment.lengths('title')[row]! + segment.lengths('headings')[row]!
  return segment
    .read(row)
    .subarray(start)
    .map((number) => segment.terms[number]!)
}

/** Whether `after` begins with what `before` ends with. */
export function continues(before: Uint32Array, after: Uint32Array): boolean {
  if (after.length < MIN_SHARED) return false
  for (let at = Math.max(0, before.length - MAX_OVERLAP); at <= before.length - MIN_SHARED; at++) {
    let same = 0
    while (at + same < before.length && before[at + same] === after[same]) same++
    if (at + same === before.length || same === after.length) return true
  }
  return false
}
