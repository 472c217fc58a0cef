/** The future dates of a series between two days. Thousands of series are requested at once. */
import { DAY_MS, dayNumber, plainOf } from '../../../../kernel/recurrence/days.ts'
import { type Local, projectedAnchor, type Series, seriesDays } from './rules.ts'

const LAST = Date.parse('9999-12-31T23:59:59.999Z')
/** The most days by which a moment can differ between two time zones. */
const MAX_DAY_DIFFERENCE = 2

const dayText = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** The first and last moments of the days of a zone, cached. */
export class ZoneDays {
  private readonly startOfDay = new Map<number, { at: number; isMidnight: boolean }>()
  readonly today: number

  constructor(
    readonly zone: string,
    readonly now: Date,
  ) {
    const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone)
    this.today = dayNumber(local.toPlainDate().toString())
  }

  endOf(day: number): number {
    return Math.min(this.start(day + 1).at - 1, LAST)
  }

  momentOf(day: number, time: Time): number {
    const { at, isMidnight } = this.start(day)
    if (isMidnight && this.start(day + 1).at - at === DAY_MS) return at + time.ms
    const plainTime = time.plain
    return plainOf(day).toZonedDateTime({ timeZone: this.zone, plainTime }).epochMilliseconds
  }

  private start(day: number) {
    const cached = this.startOfDay.get(day)
    if (cached) return cached
    const begin = plainOf(day).toZonedDateTime(this.zone)
    const start = { at: begin.epochMilliseconds, isMidnight: begin.toPlainTime().equals(MIDNIGHT) }
    this.startOfDay.set(day, start)
    return start
  }
}

const MIDNIGHT = new Temporal.PlainTime()

interface Time {
  plain: Temporal.PlainTime
  ms: number
}

/** The requested range, in days and in moments. */
export interface DateRange {
  first: number
  last: number
  begins: number
  ends: number
}

/** A future date of a series, and the moment after which it is overdue. */
export interface Occurrence {
  date: string
  at: number
}

export interface OccurrenceRange {
  count: number
  /** Yields the dates in order. It may still yield a few that end before the given day. */
  since(day?: number): Generator<Occurrence, void>
}

const NONE: OccurrenceRange = { count: 0, *since() {} }

/** The dates of `upcomingDates` within the range. The series must have a due date. */
export function occurrencesBetween(
  series: Series,
  days: ZoneDays,
  between: DateRange,
): OccurrenceRange {
  const anchor = projectedAnchor(series)
  if (!anchor) return NONE
  const time = timeOf(anchor)
  const { previous, last, from } = seriesDays(series, anchor)
  const margin = time ? MAX_DAY_DIFFERENCE : 0
  const firstDay = Math.max(
    between.first - margin,
    days.today + (time ? -MAX_DAY_DIFFERENCE : 1),
    previous + 1,
  )
  const found: number[] = []
  for (const day of from(firstDay)) {
    if (day > Math.min(between.last + margin, last)) break
    found.push(day)
  }
  const isInRange = (day: number, time: Time) => {
    const at = days.momentOf(day, time)
    return at >= between.begins && at <= between.ends && at > days.now.getTime()
  }
  while (time && found.length && !isInRange(found.at(-1)!, time)) found.pop()
  const skipped = time ? found.findIndex((day) => isInRange(day, time)) : 0
  const inRange = found.slice(Math.max(skipped, 0))
  return {
    count: inRange.length,
    *since(since = firstDay) {
      for (const day of inRange)
        if (day >= since - margin)
          yield time ? momentOccurrence(days.momentOf(day, time)) : dayOccurrence(day, days)
    },
  }
}

const momentOccurrence = (at: number): Occurrence => ({ date: new Date(at).toISOString(), at })
const dayOccurrence = (day: number, days: ZoneDays): Occurrence => ({
  date: dayText(day),
  at: days.endOf(day),
})

function timeOf({ time: plain }: Local): Time | undefined {
  if (!plain) return undefined
  const { hour, minute, second, millisecond } = plain
  return { plain, ms: ((hour * 60 + minute) * 60 + second) * 1000 + millisecond }
}
