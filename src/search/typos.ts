/** Minimum lengths of words in which one or two typos are tolerated. */
const ONE_EDIT_LENGTH = 4
const TWO_EDITS_LENGTH = 8
/** In words of this length, two swapped letters are the only typo that is tolerated. */
const SWAP_LENGTH = 3

const editsIn = ({ length }: string) =>
  length >= TWO_EDITS_LENGTH ? 2 : length >= ONE_EDIT_LENGTH ? 1 : 0

/**
 * The number of typos by which a typed word differs from another: letters added, left out,
 * replaced, or swapped with their neighbour. Undefined if there are too many for its length.
 */
export function typosBetween(typed: string, word: string): number | undefined {
  if (typed === word) return 0
  if (typed.length === SWAP_LENGTH) return isSwap(typed, word) ? 1 : undefined
  const limit = editsIn(typed)
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

/** Damerau–Levenshtein distance (optimal string alignment), or a number above `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    let lowest = row
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1]
      let edits = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + (isSame ? 0 : 1),
      )
      const isSwapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (isSwapped) edits = Math.min(edits, beforeLast[column - 2]! + 1)
      current.push(edits)
      lowest = Math.min(lowest, edits)
    }
    if (lowest > limit) return limit + 1
    beforeLast = last
    last = current
  }
  return last[b.length]!
}
