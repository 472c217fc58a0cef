/** How flow is counted. Nothing here reads a clock or a database. */

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** A day that exists. */
export function dayIn(text: string): Temporal.PlainDate | undefined {
  try {
    const day = DAY.test(text) ? Temporal.PlainDate.from(text) : undefined
    return day && day.year > 0 ? day : undefined
  } catch {
    return undefined
  }
}

/** When each of the days begins in a zone, in milliseconds, and when the last one ends. */
export function edgesOf(from: Temporal.PlainDate, days: number, zone: string): number[] {
  return Array.from(
    { length: days + 1 },
    (_, at) => from.add({ days: at }).toZonedDateTime(zone).epochMilliseconds,
  )
}

/** Which of the days a moment is in; their number: it is later than all. */
export function dayAt(edges: readonly number[], moment: number): number {
  let [low, high] = [0, edges.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (edges[middle + 1]! <= moment) low = middle + 1
    else high = middle
  }
  return low
}

/** A task came to a column, or left one, or both. */
export interface Step {
  from_id: number | null
  to_id: number | null
  moved_at: number
}

/** How many tasks stood in each column at the end of each day: counted back from what stands now. */
export class Levels {
  /** By day, and last what was later: how many more there are for it. */
  private readonly more: Map<number, number>[]

  constructor(private readonly edges: readonly number[]) {
    this.more = edges.map(() => new Map())
  }

  add({ from_id, to_id, moved_at }: Step): void {
    if (from_id === to_id) return
    const more = this.more[dayAt(this.edges, moved_at)]!
    if (from_id !== null) more.set(from_id, (more.get(from_id) ?? 0) - 1)
    if (to_id !== null) more.set(to_id, (more.get(to_id) ?? 0) + 1)
  }

  ends(now: ReadonlyMap<number, number>): Map<number, number>[] {
    const level = new Map(now)
    const days: Map<number, number>[] = []
    for (let at = this.more.length - 1; at > 0; at--) {
      for (const [column, more] of this.more[at]!)
        level.set(column, (level.get(column) ?? 0) - more)
      days.unshift(new Map(level))
    }
    return days
  }
}

/** The value that so many in a hundred do not exceed; of nothing there is none. */
export function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil((sorted.length * share) / 100) - 1)] ?? null
}

export function spreadOf(seconds: readonly number[]) {
  const sorted = [...seconds].sort((a, b) => a - b)
  const [median, p85, p95] = [50, 85, 95].map((share) => percentile(sorted, share)) as [
    number | null,
    number | null,
    number | null,
  ]
  return { tasks: sorted.length, median, p85, p95 }
}

/** Never less than nothing: clocks are put back. */
export const secondsBetween = (from: Date, to: Date): number =>
  Math.max(0, Math.round((to.getTime() - from.getTime()) / 1000))
