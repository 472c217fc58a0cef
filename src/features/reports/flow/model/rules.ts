/** Pure functions that count flow. They use neither clock nor database. */

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Parses a day. Returns undefined if it does not exist in the calendar. */
export function parseDay(text: string): Temporal.PlainDate | undefined {
  try {
    const day = DAY.test(text) ? Temporal.PlainDate.from(text) : undefined
    return day && day.year > 0 ? day : undefined
  } catch {
    return undefined
  }
}

/** Returns when each day begins in a zone, in milliseconds, and when the last one ends. */
export function dayEdges(from: Temporal.PlainDate, days: number, zone: string): number[] {
  return Array.from(
    { length: days + 1 },
    (_, index) => from.add({ days: index }).toZonedDateTime(zone).epochMilliseconds,
  )
}

/** Returns the index of the day that contains a time. The number of days means later than all. */
export function dayIndex(edges: readonly number[], moment: number): number {
  let [low, high] = [0, edges.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (edges[middle + 1]! <= moment) low = middle + 1
    else high = middle
  }
  return low
}

/** A task entered a column, left one, or both. */
export interface ColumnMove {
  from_id: number | null
  to_id: number | null
  moved_at: number
}

/** Counts the tasks in each column at the end of each day, backwards from the present counts. */
export class ColumnCounts {
  /** Change of the counts per column for each day. The last entry holds all later changes. */
  private readonly changes: Map<number, number>[]

  constructor(private readonly edges: readonly number[]) {
    this.changes = edges.map(() => new Map())
  }

  add({ from_id, to_id, moved_at }: ColumnMove): void {
    if (from_id === to_id) return
    const changes = this.changes[dayIndex(this.edges, moved_at)]!
    if (from_id !== null) changes.set(from_id, (changes.get(from_id) ?? 0) - 1)
    if (to_id !== null) changes.set(to_id, (changes.get(to_id) ?? 0) + 1)
  }

  countsPerDay(current: ReadonlyMap<number, number>): Map<number, number>[] {
    const counts = new Map(current)
    const days: Map<number, number>[] = []
    for (let index = this.changes.length - 1; index > 0; index--) {
      for (const [column, change] of this.changes[index]!)
        counts.set(column, (counts.get(column) ?? 0) - change)
      days.unshift(new Map(counts))
    }
    return days
  }
}

/** Nearest-rank percentile; `share` is in percent. Null for an empty list. */
export function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil((sorted.length * share) / 100) - 1)] ?? null
}

export function percentilesOf(seconds: readonly number[]) {
  const sorted = [...seconds].sort((a, b) => a - b)
  const [median, p85, p95] = [50, 85, 95].map((share) => percentile(sorted, share)) as [
    number | null,
    number | null,
    number | null,
  ]
  return { tasks: sorted.length, median, p85, p95 }
}

/** Never negative, even if the clock was set back. */
export const secondsBetween = (from: Date, to: Date): number =>
  Math.max(0, Math.round((to.getTime() - from.getTime()) / 1000))
