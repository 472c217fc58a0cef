/**
 * The future dates of a series between two days, computed arithmetically because thousands of
 * series are requested at once.
 */
import { isDay } from '../../dates/model/index.ts'
import { anchorOf, type Local, periodsSinceStart as periodsDone, type Series } from './rules.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const LAST = Date.parse('9999-12-31T23:59:59.999Z')
/** The most days by which a moment can differ between two time zones. */
const MAX_DAY_DIFFERENCE = 2

/** A calendar day as the number of days since 1970-01-01. */
export const dayNumber = (day: string) => Math.floor(Date.parse(day) / DAY_MS)
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
const plainOf = (day: number) => {
  const date = new Date(day * DAY_MS)
  return new Temporal.PlainDate(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate())
}

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

/** The dates of `upcomingDates` within the range. The series must have a due date. */
export function occurrencesBetween(
  series: Series,
  days: ZoneDays,
  between: DateRange,
): OccurrenceRange {
  const progression = progressionOf(series)
  const { time } = progression
  const margin = time ? MAX_DAY_DIFFERENCE : 0
  const firstDay = Math.max(between.first - margin, days.today + (time ? -MAX_DAY_DIFFERENCE : 1))
  const firstIndex = (day: number) =>
    Math.max(progression.done + 1, progression.firstIndexFrom(day))
  let from = firstIndex(firstDay)
  let to = progression.firstIndexFrom(between.last + margin + 1) - 1
  const isInRange = (n: number, { plain, ms }: Time) => {
    const at = days.momentOf(progression.dayAt(n), { plain, ms })
    return at >= between.begins && at <= between.ends && at > days.now.getTime()
  }
  if (time) {
    while (from <= to && !isInRange(from, time)) from++
    while (from <= to && !isInRange(to, time)) to--
  }
  const isOff = (day: number) => series.rule === 'Weekdays' && !isWorkday(day)
  return {
    count: from > to ? 0 : progression.many(from, to),
    *since(day = firstDay) {
      for (let n = Math.max(from, firstIndex(day - margin)); n <= to; n++) {
        const local = progression.dayAt(n)
        if (!isOff(local))
          yield time ? momentOccurrence(days.momentOf(local, time)) : dayOccurrence(local, days)
      }
    },
  }
}

const momentOccurrence = (at: number): Occurrence => ({ date: new Date(at).toISOString(), at })
const dayOccurrence = (day: number, days: ZoneDays): Occurrence => ({
  date: dayText(day),
  at: days.endOf(day),
})

/** A series as arithmetic. Its dates are numbered from the one it began with. */
interface Progression {
  /** The index of the due date. */
  done: number
  time: Time | undefined
  dayAt(n: number): number
  /** The index of the first date on or after the day. */
  firstIndexFrom(day: number): number
  many(from: number, to: number): number
}

const STEPS = { Daily: 1, Weekdays: 1, Weekly: 7, Biweekly: 14 }

function progressionOf(series: Series): Progression {
  const { rule, due, from } = series
  const isWhole = from === null && due !== null && isDay(due)
  const anchor = isWhole ? undefined : anchorOf(series)
  const firstDay = dayNumber(anchor ? anchor.day.toString() : due!)
  const common = { done: from === null ? 0 : periodsDone(series), time: timeOf(anchor) }
  if (rule === 'Monthly') return { ...common, ...monthlyProgression(firstDay) }
  const step = STEPS[rule]
  const dayAt = (n: number) => firstDay + n * step
  const countAll = (first: number, last: number) => last - first + 1
  return {
    ...common,
    dayAt,
    firstIndexFrom: (day) => Math.ceil((day - firstDay) / step),
    many: rule === 'Weekdays' ? (a, b) => workdays(dayAt(a), dayAt(b)) : countAll,
  }
}

function monthlyProgression(firstDay: number): Omit<Progression, 'done' | 'time'> {
  const [year, month, day] = [
    yearOf(firstDay),
    monthOf(firstDay),
    new Date(firstDay * DAY_MS).getUTCDate(),
  ]
  // The day before the first of a month is the last of the previous month.
  const firstOf = (n: number) => new Date(0).setUTCFullYear(year, month + n, 1) / DAY_MS
  const dayAt = (n: number) => Math.min(firstOf(n) + day - 1, firstOf(n + 1) - 1)
  return {
    dayAt,
    firstIndexFrom(target) {
      const n = (yearOf(target) - year) * 12 + monthOf(target) - month
      return dayAt(n) < target ? n + 1 : n
    },
    many: (from, to) => to - from + 1,
  }
}

const yearOf = (day: number) => new Date(day * DAY_MS).getUTCFullYear()
const monthOf = (day: number) => new Date(day * DAY_MS).getUTCMonth()

/** 1970-01-01 was a Thursday. */
const sinceMonday = (day: number) => (((day + 3) % 7) + 7) % 7
const isWorkday = (day: number) => sinceMonday(day) < 5
const workdays = (from: number, to: number) => workdaysTo(to) - workdaysTo(from - 1)
/** Workdays since the Monday before 1970-01-01. */
const workdaysTo = (day: number) =>
  Math.floor((day + 3) / 7) * 5 + Math.min(sinceMonday(day) + 1, 5)

function timeOf(anchor: Local | undefined): Time | undefined {
  const plain = anchor?.time
  if (!plain) return undefined
  const { hour, minute, second, millisecond } = plain
  return { plain, ms: ((hour * 60 + minute) * 60 + second) * 1000 + millisecond }
}
