import { gapsFrom } from './gaps.ts'
import {
  anchorOf,
  dateOf,
  inCalendar,
  isOff,
  type Local,
  nextOccurrence,
  nthOccurrence,
  type Occurrence,
  periodsSinceStart,
  type Series,
} from './rules.ts'

/** Earlier than any due date. */
const BEFORE_ALL_DATES = new Date('0000-01-01T00:00:00Z')

/**
 * The future dates of an open repeating task, if every occurrence is completed in time. Dates
 * before `now` are skipped.
 */
export function* upcomingDates(series: Series): Generator<string, undefined> {
  const anchor = anchorOf(series)
  for (
    let found = nextOccurrence(series, anchor);
    ;
    found = nextOccurrence(series, anchor, found.n + 1)
  ) {
    const date = dateOf(series, found)
    if (!inCalendar(date)) return
    yield date
  }
}

/** A series as iCalendar clients compute it: a rule with exceptions. Local dates carry no zone. */
export interface RecurrencePlan {
  /**
   * Single dates outside the rule, such as the due date of the task if the rule does not produce
   * it.
   */
  alone: string[]
  /** The first date of the rule, as a local day or moment. */
  begins: string
  /** The day of the month on which a monthly series began. */
  day: number
  /** Additional local dates and excluded ones, for the next years. */
  also: string[]
  without: string[]
}

/** The plan of a series with a due date; undefined after the end of the calendar. */
export function recurrencePlan(series: Series): RecurrencePlan | undefined {
  const anchor = anchorOf(series)
  const alone: string[] = []
  let begins = nthOccurrence(series, anchor, periodsSinceStart(series))
  const next = nextOccurrence(series, anchor)
  if (!inCalendar(dateOf(series, next))) return undefined
  const isNext = nextOccurrence({ ...series, now: BEFORE_ALL_DATES }, anchor).n === next.n
  if (!isNext || !followsRule(series, begins) || isClamped(series, anchor, begins)) {
    alone.push(series.due!)
    begins = next
  }
  if (isClamped(series, anchor, begins)) {
    alone.push(dateOf(series, begins))
    begins = nextOccurrence(series, anchor, begins.n + 1)
  }
  const shifts = anchor.time ? shiftsFrom(series, anchor.time) : []
  return {
    alone,
    begins: localText(begins),
    day: anchor.day.day,
    also: [...clampedDates(series, anchor, begins).map(localText), ...shifts.map(({ to }) => to)],
    without: shifts.map(({ from }) => from),
  }
}

const CHECKED_MONTHS = 120
const LONGEST_MONTH = 31

/**
 * Whether February clamped the 29th or 30th. Few calendars support a rule for that, while all
 * support the last day of the month, which the 31st becomes.
 */
const isClamped = ({ rule }: Series, anchor: Local, { day }: Local) =>
  rule === 'Monthly' && anchor.day.day < LONGEST_MONTH && day.day !== anchor.day.day

const clampedDates = (series: Series, anchor: Local, { n }: Occurrence): Occurrence[] =>
  series.rule === 'Monthly' && anchor.day.day > 28
    ? Array.from({ length: CHECKED_MONTHS }, (_, at) =>
        nthOccurrence(series, anchor, n + at + 1),
      ).filter((found) => isClamped(series, anchor, found))
    : []

const followsRule = (series: Series, date: Local) =>
  !isOff(series, date) && dateOf(series, date) === series.due && existsLocally(series, date)

const existsLocally = ({ zone }: Series, { day, time }: Local) =>
  !time || day.toPlainDateTime(time).toZonedDateTime(zone).toPlainTime().equals(time)

const localText = ({ day, time }: Local) =>
  time ? day.toPlainDateTime(time).toString() : day.toString()

/**
 * Dates that a future clock change shifts. There are few: clocks change at night, when few tasks
 * are due.
 */
function shiftsFrom(series: Series, time: Temporal.PlainTime): { from: string; to: string }[] {
  const { zone, due, now } = series
  const since = Math.max(now.getTime(), Date.parse(due!))
  return gapsFrom(zone, since).flatMap(({ at, from, to }) => {
    const skipped = [from, to]
      .map((side) => side.toPlainDate().toPlainDateTime(time))
      .find((moment) => isWithin(moment, from, to))
    if (!skipped || at <= since) return []
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
