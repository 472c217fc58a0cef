/** In words of this length, two swapped letters are the only typo that is tolerated. */
const SWAP_LENGTH = 3
/** Minimum length of words in which two typos are tolerated. */
const TWO_EDITS_LENGTH = 8

/** The number of typos that are tolerated in a word. */
export const maxTypos = ({ length }: string): number =>
  length >= TWO_EDITS_LENGTH ? 2 : length >= SWAP_LENGTH ? 1 : 0

/**
 * The number of typos by which a typed word differs from another: letters added, left out,
 * replaced, or swapped with their neighbour. Undefined if there are too many for its length.
 */
export function typosBetween(typed: string, word: string): number | undefined {
  if (typed === word) return 0
  if (typed.length === SWAP_LENGTH) return isSwap(typed, word) ? 1 : undefined
  const limit = maxTypos(typed)
  if (Math.abs(typed.length - word.length) > limit) return undefined
  const edits = editDistance(typed, word, limit)
  return edits <= limit ? edits : undefined
}

function isSwap(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return a.slice(0, at) + (a[at + 1] ?? '') + (a[at] ?? '') + a.slice(at + 2) === b
}

/** Rows of the distance matrix, reused because vocabularies are compared word by word. */
const MAX_WORD = 64
let beforeLast = new Uint8Array(MAX_WORD + 1)
let last = new Uint8Array(MAX_WORD + 1)
let current = new Uint8Array(MAX_WORD + 1)

/** Damerau–Levenshtein distance (optimal string alignment), or a number above `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (a.length > MAX_WORD || b.length > MAX_WORD) return limit + 1
  for (let column = 0; column <= b.length; column++) last[column] = column
  for (let row = 1; row <= a.length; row++) {
    current[0] = row
    if (fillRow(a, b, row) > limit) return limit + 1
    const free = beforeLast
    beforeLast = last
    last = current
    current = free
  }
  return last[b.length]!
}

/** Fills `current` and returns its lowest distance. */
function fillRow(a: string, b: string, row: number): number {
  const character = a.charCodeAt(row - 1)
  const characterBefore = row > 1 ? a.charCodeAt(row - 2) : -1
  let lowest = row
  let left = row
  let otherBefore = -1
  for (let column = 1; column <= b.length; column++) {
    const other = b.charCodeAt(column - 1)
    let edits = last[column - 1]! + (character === other ? 0 : 1)
    if (last[column]! + 1 < edits) edits = last[column]! + 1
    if (left + 1 < edits) edits = left + 1
    if (character === otherBefore && characterBefore === other)
      edits = Math.min(edits, beforeLast[column - 2]! + 1)
    current[column] = edits
    left = edits
    if (edits < lowest) lowest = edits
    otherBefore = other
  }
  return lowest
}
