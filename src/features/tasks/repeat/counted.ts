/** The coming dates of a series between two days, found by counting: thousands are asked at once. */
import { isDay } from '../rules.ts'
import { anchorOf, type Local, done as periodsDone, type Series } from './rules.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const LAST = Date.parse('9999-12-31T23:59:59.999Z')
/** Where the clocks are furthest apart, a moment lies in days so far from each other. */
const APART = 2

/** A day of the calendar, counted from the first of 1970. */
export const dayNumber = (day: string) => Math.floor(Date.parse(day) / DAY_MS)
const dayText = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** The days of a zone: where each begins and ends, looked up once. */
export class ZoneDays {
  private readonly begun = new Map<number, { at: number; isMidnight: boolean }>()
  readonly today: number

  constructor(
    readonly zone: string,
    readonly now: Date,
  ) {
    const here = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone)
    this.today = dayNumber(here.toPlainDate().toString())
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
    const before = this.begun.get(day)
    if (before) return before
    const begin = plainOf(day).toZonedDateTime(this.zone)
    const made = { at: begin.epochMilliseconds, isMidnight: begin.toPlainTime().equals(MIDNIGHT) }
    this.begun.set(day, made)
    return made
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

/** What is asked for: days of the calendar, and moments. */
export interface Between {
  first: number
  last: number
  begins: number
  ends: number
}

/** One of the coming dates, and the moment after which it is overdue. */
export interface Coming {
  date: string
  at: number
}

export interface Stretch {
  many: number
  /** One after another; those that end before the day are left out, most of them at least. */
  since(day?: number): Generator<Coming, void>
}

/** Those of `comingDates` that lie between; the series has a due date. */
export function comingBetween(series: Series, days: ZoneDays, between: Between): Stretch {
  const beat = beatOf(series)
  const { time } = beat
  const apart = time ? APART : 0
  const least = Math.max(between.first - apart, days.today + (time ? -APART : 1))
  const onwards = (day: number) => Math.max(beat.done + 1, beat.indexFrom(day))
  let from = onwards(least)
  let to = beat.indexFrom(between.last + apart + 1) - 1
  const isAsked = (n: number, { plain, ms }: Time) => {
    const at = days.momentOf(beat.dayAt(n), { plain, ms })
    return at >= between.begins && at <= between.ends && at > days.now.getTime()
  }
  if (time) {
    while (from <= to && !isAsked(from, time)) from++
    while (from <= to && !isAsked(to, time)) to--
  }
  const isOff = (day: number) => series.rule === 'Weekdays' && !isWorkday(day)
  return {
    many: from > to ? 0 : beat.many(from, to),
    *since(day = least) {
      for (let n = Math.max(from, onwards(day - apart)); n <= to; n++) {
        const local = beat.dayAt(n)
        if (!isOff(local)) yield time ? moment(days.momentOf(local, time)) : whole(local, days)
      }
    },
  }
}

const moment = (at: number): Coming => ({ date: new Date(at).toISOString(), at })
const whole = (day: number, days: ZoneDays): Coming => ({ date: dayText(day), at: days.endOf(day) })

/** A series by numbers. Its dates are numbered from the one that it began with. */
interface Beat {
  /** The number of the due date. */
  done: number
  time: Time | undefined
  dayAt(n: number): number
  /** The first on the day or later. */
  indexFrom(day: number): number
  many(from: number, to: number): number
}

const STEPS = { Daily: 1, Weekdays: 1, Weekly: 7, Biweekly: 14 }

function beatOf(series: Series): Beat {
  const { rule, due, from } = series
  const isWhole = from === null && due !== null && isDay(due)
  const anchor = isWhole ? undefined : anchorOf(series)
  const begun = dayNumber(anchor ? anchor.day.toString() : due!)
  const made = { done: from === null ? 0 : periodsDone(series), time: timeOf(anchor) }
  if (rule === 'Monthly') return { ...made, ...months(begun) }
  const step = STEPS[rule]
  const dayAt = (n: number) => begun + n * step
  const all = (first: number, last: number) => last - first + 1
  return {
    ...{ ...made, dayAt },
    indexFrom: (day) => Math.ceil((day - begun) / step),
    many: rule === 'Weekdays' ? (a, b) => workdays(dayAt(a), dayAt(b)) : all,
  }
}

function months(begun: number): Omit<Beat, 'done' | 'time'> {
  const [year, month, day] = [yearOf(begun), monthOf(begun), new Date(begun * DAY_MS).getUTCDate()]
  // The day before a month begins is the last of the one before.
  const firstOf = (n: number) => new Date(0).setUTCFullYear(year, month + n, 1) / DAY_MS
  const dayAt = (n: number) => Math.min(firstOf(n) + day - 1, firstOf(n + 1) - 1)
  return {
    dayAt,
    indexFrom(wanted) {
      const n = (yearOf(wanted) - year) * 12 + monthOf(wanted) - month
      return dayAt(n) < wanted ? n + 1 : n
    },
    many: (from, to) => to - from + 1,
  }
}

const yearOf = (day: number) => new Date(day * DAY_MS).getUTCFullYear()
const monthOf = (day: number) => new Date(day * DAY_MS).getUTCMonth()

/** The first of 1970 was a Thursday. */
const sinceMonday = (day: number) => (((day + 3) % 7) + 7) % 7
const isWorkday = (day: number) => sinceMonday(day) < 5
const workdays = (from: number, to: number) => workdaysTo(to) - workdaysTo(from - 1)
/** From a Monday long ago. */
const workdaysTo = (day: number) =>
  Math.floor((day + 3) / 7) * 5 + Math.min(sinceMonday(day) + 1, 5)

function timeOf(anchor: Local | undefined): Time | undefined {
  const plain = anchor?.time
  if (!plain) return undefined
  const { hour, minute, second, millisecond } = plain
  return { plain, ms: ((hour * 60 + minute) * 60 + second) * 1000 + millisecond }
}
