/** The days of a rule, as arithmetic on day numbers, because calendars compute thousands at once. */
import type { Rule, Weekday } from './rule.ts'

export const DAY_MS = 24 * 60 * 60 * 1000

/** A calendar day as the number of days since 1970-01-01. */
export const dayNumber = (day: string) => Math.floor(Date.parse(day) / DAY_MS)

export function plainOf(day: number): Temporal.PlainDate {
  const date = new Date(day * DAY_MS)
  return new Temporal.PlainDate(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate())
}

/** Moments of the year 9999 in UTC may be on the day after it elsewhere. */
const LAST_DAY = dayNumber('9999-12-31') + 1
/** The calendar repeats after 400 years, so a rule without a day in 400 periods has none. */
const MAX_EMPTY_PERIODS = 400

/** The days of a rule that begins on `anchor`, from a given day on, in order. */
export function* daysFrom(rule: Rule, anchor: number, from: number): Generator<number, void> {
  const { indexOf, daysOf } = periodsOf(rule, anchor)
  let empty = 0
  for (let index = indexOf(from); empty < MAX_EMPTY_PERIODS; index++) {
    const days = daysOf(index)
    empty = days.length ? 0 : empty + 1
    for (const day of days) {
      // Not every number is a day in the calendar.
      if (!(day <= LAST_DAY)) return
      if (day >= from) yield day
    }
  }
}

/** Whether the days of the rule come from its anchor alone, one in each period. */
export const isAnchored = ({ weekdays, monthDays, months }: Rule) =>
  !weekdays.length && !monthDays.length && !months.length

/** Whether the days of the rule have the day of the month of its anchor, clamped to short months. */
export const keepsDayOfMonth = ({ frequency, weekdays, monthDays }: Rule) =>
  (frequency === 'MONTHLY' || frequency === 'YEARLY') && !weekdays.length && !monthDays.length

/** The day of an anchored rule in a period: that of `day` if the rule begins on `start`. */
export const sameIndex = (rule: Rule, start: number, day: number, anchor: number) =>
  periodsOf(rule, anchor).daysOf(periodsOf(rule, start).indexOf(day))[0]!

/** The periods of a rule, numbered from the one in which it begins. */
interface Periods {
  indexOf(day: number): number
  /** In order. */
  daysOf(index: number): number[]
}

const DAYS_IN_WEEK = 7
const MONTHS_IN_YEAR = 12

function periodsOf(rule: Rule, anchor: number): Periods {
  const { frequency, interval, weekdays } = rule
  if (frequency === 'DAILY') return equalPeriods(anchor, interval, [0])
  if (frequency === 'WEEKLY' && !weekdays.length)
    return equalPeriods(anchor, interval * DAYS_IN_WEEK, [0])
  const offsets = weekdays.map(({ weekday }) => weekday)
  if (frequency === 'WEEKLY')
    return equalPeriods(anchor - weekdayOf(anchor), interval * DAYS_IN_WEEK, offsets)
  const first = monthOf(anchor)
  const dayOfMonth = anchor - startOfMonth(first) + 1
  if (frequency === 'MONTHLY')
    return {
      indexOf: (day) => Math.floor((monthOf(day) - first) / interval),
      daysOf: (index) => daysOfMonth(rule, first + index * interval, dayOfMonth),
    }
  const firstYear = Math.floor(first / MONTHS_IN_YEAR)
  return {
    indexOf: (day) =>
      Math.floor((Math.floor(monthOf(day) / MONTHS_IN_YEAR) - firstYear) / interval),
    daysOf: (index) => daysOfYear(rule, first + index * interval * MONTHS_IN_YEAR, dayOfMonth),
  }
}

const equalPeriods = (start: number, length: number, offsets: readonly number[]): Periods => ({
  indexOf: (day) => Math.floor((day - start) / length),
  daysOf: (index) => offsets.map((offset) => start + index * length + offset),
})

/** `month` is the month of the anchor in that year. */
function daysOfYear(rule: Rule, month: number, dayOfMonth: number): number[] {
  const { weekdays, months } = rule
  const january = month - (month % MONTHS_IN_YEAR)
  if (months.length)
    return months.flatMap((one) => daysOfMonth(rule, january + one - 1, dayOfMonth))
  if (!weekdays.length) return daysOfMonth(rule, month, dayOfMonth)
  return nthWeekdays(weekdays, startOfMonth(january), startOfMonth(january + MONTHS_IN_YEAR) - 1)
}

/** Without other parts, the day of the anchor, or the last day of a month that is shorter. */
function daysOfMonth({ weekdays, monthDays }: Rule, month: number, dayOfMonth: number): number[] {
  const [first, last] = [startOfMonth(month), startOfMonth(month + 1) - 1]
  if (weekdays.length) return nthWeekdays(weekdays, first, last)
  if (!monthDays.length) return [Math.min(first + dayOfMonth - 1, last)]
  return sortedDays(
    monthDays.map((day) => (day > 0 ? first + day - 1 : last + day + 1)),
    first,
    last,
  )
}

function nthWeekdays(weekdays: readonly Weekday[], first: number, last: number): number[] {
  const days = weekdays.flatMap(({ weekday, nth }) => {
    const earliest = first + ((weekday - weekdayOf(first) + DAYS_IN_WEEK) % DAYS_IN_WEEK)
    const weeks = Math.floor((last - earliest) / DAYS_IN_WEEK)
    if (nth) return earliest + DAYS_IN_WEEK * (nth > 0 ? nth - 1 : weeks + nth + 1)
    return Array.from({ length: weeks + 1 }, (_, week) => earliest + week * DAYS_IN_WEEK)
  })
  return sortedDays(days, first, last)
}

const sortedDays = (days: readonly number[], first: number, last: number) =>
  [...new Set(days)].filter((day) => day >= first && day <= last).sort((a, b) => a - b)

/** 0 is Monday; 1970-01-01 was a Thursday. */
const weekdayOf = (day: number) => (((day + 3) % DAYS_IN_WEEK) + DAYS_IN_WEEK) % DAYS_IN_WEEK

/** A month as the number of months since the year 0. */
function monthOf(day: number): number {
  const date = new Date(day * DAY_MS)
  return date.getUTCFullYear() * MONTHS_IN_YEAR + date.getUTCMonth()
}
const startOfMonth = (month: number) => new Date(0).setUTCFullYear(0, month, 1) / DAY_MS
