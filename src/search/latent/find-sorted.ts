/** The position of a number in an ascending list; -1 if it is absent. */
export function findSorted(sorted: ArrayLike<number>, wanted: number): number {
  let low = 0
  let high = sorted.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! === wanted) return middle
    if (sorted[middle]! < wanted) low = middle + 1
    else high = middle - 1
  }
  return -1
}
