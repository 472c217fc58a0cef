import type { Shelf } from './shelf.ts'

/** Words that tell a place in a text, and how many at the end of a passage may begin the next. */
const ENOUGH = 6
const MOST = 60

/** The words of a leaf's body. */
export function bodyOf(shelf: Shelf, leaf: number): Uint32Array {
  const start = shelf.lengths('title')[leaf]! + shelf.lengths('headings')[leaf]!
  return shelf
    .read(leaf)
    .subarray(start)
    .map((number) => shelf.terms[number]!)
}

/** Whether `after` begins with what `before` ends with. */
export function goesOn(before: Uint32Array, after: Uint32Array): boolean {
  if (after.length < ENOUGH) return false
  for (let at = Math.max(0, before.length - MOST); at <= before.length - ENOUGH; at++) {
    let same = 0
    while (at + same < before.length && before[at + same] === after[same]) same++
    if (at + same === before.length || same === after.length) return true
  }
  return false
}
