import { dayNumber, keepsDayOfMonth, plainOf } from '../../../../kernel/recurrence/days.ts'
import { partsOf, readRule } from '../../../../kernel/recurrence/rule.ts'
import { writeRule } from '../../../../kernel/recurrence/write.ts'
import { dueAt } from '../../dates/model/index.ts'
import { gapsFrom } from './gaps.ts'
import {
  dateOf,
  inCalendar,
  type Local,
  occurrencesOf,
  projectedAnchor,
  type Series,
  type SeriesDays,
  seriesDays,
} from './rules.ts'

/** Earlier than any due date. */
const BEFORE_ALL_DATES = new Date('0000-01-01T00:00:00Z')

/**
 * The future dates of an open repeating task, if every occurrence is completed in time. Dates
 * before `now` are skipped. A rule that counts from completion has none.
 */
export function* upcomingDates(series: Series): Generator<string, undefined> {
  const anchor = projectedAnchor(series)
  if (!anchor) return
  for (const found of occurrencesOf(series, anchor)) {
    const date = dateOf(series, found)
    if (!inCalendar(date)) return
    yield date
  }
}

/** A series as iCalendar clients compute it: a rule with exceptions. Local dates carry no zone. */
export interface RecurrencePlan {
  /** In the form of RFC 5545, 3.3.10. */
  rule: string
  /**
   * Single dates outside the rule, such as the due date of the task if the rule does not produce
   * it.
   */
  alone: string[]
  /** The first date of the rule, as a local day or moment. */
  begins: string
  /** Additional local dates and excluded ones, for the next years. */
  also: string[]
  without: string[]
}

/** The plan of a series with a due date; undefined if it has no future dates. */
export function recurrencePlan(series: Series): RecurrencePlan | undefined {
  const anchor = projectedAnchor(series)
  const [next] = anchor ? occurrencesOf(series, anchor) : []
  if (!anchor || !next || !inCalendar(dateOf(series, next))) return undefined
  const days = seriesDays(series, anchor)
  const alone: string[] = []
  let begins: Local = { ...anchor, day: plainOf(days.previous) }
  const isFirst =
    isFollowedBy(series, anchor, next) &&
    isInRule(series, days, begins) &&
    !isClamped(series, anchor, begins)
  if (!isFirst) {
    alone.push(series.due!)
    begins = next
  }
  if (isClamped(series, anchor, begins)) {
    const [later] = laterThan(series, anchor, begins)
    if (later) alone.push(dateOf(series, begins))
    begins = later ?? begins
  }
  const isSingle = isListed(series, anchor) || isClamped(series, anchor, begins)
  const also = isListed(series, anchor)
    ? laterThan(series, anchor, begins).take(LISTED_DATES).toArray()
    : clampedDates(series, anchor, begins)
  const shifts = anchor.time ? shiftsFrom(series, anchor.time, days) : []
  return {
    rule: isSingle ? ONE_DATE : calendarRule(series, anchor, days),
    alone,
    begins: localText(begins),
    also: [...also.map(localText), ...shifts.map(({ to }) => to)],
    without: shifts.map(({ from }) => from),
  }
}

/** One date. Further dates of such a series are listed. */
const ONE_DATE = 'FREQ=DAILY;COUNT=1'

/** Whether no date lies between the due date and the next future one. */
function isFollowedBy(series: Series, anchor: Local, next: Local): boolean {
  const [first] = occurrencesOf({ ...series, now: BEFORE_ALL_DATES }, anchor)
  return first!.day.equals(next.day)
}

/** Whether the rule, as calendars understand it, produces the due date. */
function isInRule(series: Series, { previous, from }: SeriesDays, current: Local): boolean {
  const [day] = from(previous)
  return (
    day === previous && dateOf(series, current) === series.due && existsLocally(series, current)
  )
}

function* laterThan(series: Series, anchor: Local, { day }: Local): Generator<Local, void> {
  for (const found of occurrencesOf(series, anchor))
    if (Temporal.PlainDate.compare(found.day, day) > 0) yield found
}

/** For how many dates a plan lists exceptions, or the dates themselves. */
const LISTED_DATES = 120
const SHORTEST_MONTH = 28
/** A series on the 31st falls on the last day of every month. */
const LONGEST_MONTH = 31

/**
 * Whether the dates are listed one by one: calendars disagree on years, except on those that repeat
 * a date, or weekdays of a month.
 */
function isListed(series: Series, { day }: Local): boolean {
  const { frequency, weekdays, months } = readRule(series.rule)
  if (frequency !== 'YEARLY' || (weekdays.length && months.length)) return false
  return weekdays.length + months.length > 0 || (day.month === 2 && day.day > SHORTEST_MONTH)
}

const keepsDay = (series: Series) => {
  const rule = readRule(series.rule)
  return rule.frequency === 'MONTHLY' && keepsDayOfMonth(rule)
}

/**
 * Whether a short month clamped the 29th or 30th. Few calendars support a rule for that, while all
 * support the last day of the month, which the 31st becomes.
 */
const isClamped = (series: Series, anchor: Local, { day }: Local) =>
  keepsDay(series) && anchor.day.day < LONGEST_MONTH && day.day !== anchor.day.day

const clampedDates = (series: Series, anchor: Local, begins: Local): Local[] =>
  keepsDay(series) && anchor.day.day > SHORTEST_MONTH
    ? laterThan(series, anchor, begins)
        .take(LISTED_DATES)
        .filter((found) => isClamped(series, anchor, found))
        .toArray()
    : []

/** The rule as calendars need it: with the day of the month, and an end in place of a count. */
function calendarRule(series: Series, { day, time }: Local, { last }: SeriesDays): string {
  const rule = { ...readRule(series.rule), until: undefined, count: undefined }
  const monthDays = keepsDay(series) ? [day.day === LONGEST_MONTH ? -1 : day.day] : rule.monthDays
  const text = partsOf(writeRule({ ...rule, monthDays }))
  if (last === Number.POSITIVE_INFINITY) return text
  const lastDay = plainOf(last).toString()
  const until = time ? dueAt(lastDay, series.zone).toISOString().replace(/\.\d+/, '') : lastDay
  return `${text};UNTIL=${until.replace(/[-:]/g, '')}`
}

const existsLocally = ({ zone }: Series, { day, time }: Local) =>
  !time || day.toPlainDateTime(time).toZonedDateTime(zone).toPlainTime().equals(time)

const localText = ({ day, time }: Local) =>
  time ? day.toPlainDateTime(time).toString() : day.toString()

/**
 * Dates that a future clock change shifts. There are few: clocks change at night, when few tasks
 * are due.
 */
function shiftsFrom(
  series: Series,
  time: Temporal.PlainTime,
  { last }: SeriesDays,
): { from: string; to: string }[] {
  const { zone, due, now } = series
  const since = Math.max(now.getTime(), Date.parse(due!))
  return gapsFrom(zone, since).flatMap(({ at, from, to }) => {
    const skipped = [from, to]
      .map((side) => side.toPlainDate().toPlainDateTime(time))
      .find((moment) => isWithin(moment, from, to))
    if (!skipped || at <= since || dayNumber(skipped.toPlainDate().toString()) > last) return []
    const existing = skipped.toZonedDateTime(zone)
    const [date] = upcomingDates({ ...series, now: new Date(at - 1) })
    if (date !== new Date(existing.epochMilliseconds).toISOString()) return []
    return [{ from: skipped.toString(), to: existing.toPlainDateTime().toString() }]
  })
}

const isWithin = (
  moment: Temporal.PlainDateTime,
  from: Temporal.PlainDateTime,
  to: Temporal.PlainDateTime,
) =>
  Temporal.PlainDateTime.compare(from, moment) <= 0 &&
  Temporal.PlainDateTime.compare(moment, to) < 0
