import { gapsFrom } from './gaps.ts'
import {
  anchorOf,
  dateOf,
  done,
  type Found,
  following,
  inCalendar,
  isOff,
  type Local,
  nth,
  type Series,
} from './rules.ts'

/** Before every due date. */
const EVER = new Date('0000-01-01T00:00:00Z')

/**
 * When an open task comes again: the dates that its series would be given one after another, each
 * completed in time. Those that `now` has passed are nobody's any more.
 */
export function* comingDates(series: Series): Generator<string, undefined> {
  const anchor = anchorOf(series)
  for (let found = following(series, anchor); ; found = following(series, anchor, found.n + 1)) {
    const date = dateOf(series, found)
    if (!inCalendar(date)) return
    yield date
  }
}

/** The coming dates for those who count by rules of their own; all that is local is without a zone. */
export interface Course {
  /** Dates that are told one by one: of the task itself where its series does not begin with it. */
  alone: string[]
  /** Where the series begins that goes on by the rule, as a local day or moment. */
  begins: string
  /** The day of the month that a monthly one was begun on. */
  day: number
  /** Local dates that it has besides the rule, and that the rule has besides it, for some years. */
  also: string[]
  without: string[]
}

/** Of a series with a due date; undefined where the calendar ends. */
export function courseOf(series: Series): Course | undefined {
  const anchor = anchorOf(series)
  const alone: string[] = []
  let begins = nth(series, anchor, done(series))
  const next = following(series, anchor)
  if (!inCalendar(dateOf(series, next))) return undefined
  const isNext = following({ ...series, now: EVER }, anchor).n === next.n
  if (!isNext || !isOne(series, begins) || isCut(series, anchor, begins)) {
    alone.push(series.due!)
    begins = next
  }
  if (isCut(series, anchor, begins)) {
    alone.push(dateOf(series, begins))
    begins = following(series, anchor, begins.n + 1)
  }
  const moved = anchor.time ? shiftedIn(series, anchor.time) : []
  return {
    ...{ alone, begins: said(begins), day: anchor.day.day },
    also: [...cutAfter(series, anchor, begins).map(said), ...moved.map(({ to }) => to)],
    without: moved.map(({ from }) => from),
  }
}

const MONTHS = 120
const LONGEST = 31

/**
 * The 29th or 30th that a February has no room for. A rule for it is understood by few calendars,
 * while all of them know the last day of a month, which is what the 31st comes to.
 */
const isCut = ({ rule }: Series, anchor: Local, { day }: Local) =>
  rule === 'Monthly' && anchor.day.day < LONGEST && day.day !== anchor.day.day

const cutAfter = (series: Series, anchor: Local, { n }: Found): Found[] =>
  series.rule === 'Monthly' && anchor.day.day > 28
    ? Array.from({ length: MONTHS }, (_, at) => nth(series, anchor, n + at + 1)).filter((found) =>
        isCut(series, anchor, found),
      )
    : []

const isOne = (series: Series, own: Local) =>
  !isOff(series, own) && dateOf(series, own) === series.due && isThere(series, own)

const isThere = ({ zone }: Series, { day, time }: Local) =>
  !time || day.toPlainDateTime(time).toZonedDateTime(zone).toPlainTime().equals(time)

const said = ({ day, time }: Local) =>
  time ? day.toPlainDateTime(time).toString() : day.toString()

/** In the years to come. Seldom any: clocks are changed at night, and few tasks are due then. */
function shiftedIn(series: Series, time: Temporal.PlainTime): { from: string; to: string }[] {
  const { zone, due, now } = series
  const since = Math.max(now.getTime(), Date.parse(due!))
  return gapsFrom(zone, since).flatMap(({ at, from, to }) => {
    const skipped = [from, to]
      .map((side) => side.toPlainDate().toPlainDateTime(time))
      .find((one) => isWithin(one, from, to))
    if (!skipped || at <= since) return []
    const found = skipped.toZonedDateTime(zone)
    const [date] = comingDates({ ...series, now: new Date(at - 1) })
    if (date !== new Date(found.epochMilliseconds).toISOString()) return []
    return [{ from: skipped.toString(), to: found.toPlainDateTime().toString() }]
  })
}

const isWithin = (
  one: Temporal.PlainDateTime,
  from: Temporal.PlainDateTime,
  to: Temporal.PlainDateTime,
) => Temporal.PlainDateTime.compare(from, one) <= 0 && Temporal.PlainDateTime.compare(one, to) < 0
