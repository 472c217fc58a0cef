/** Computes the next due date of a repeating task. Pure functions: no clock, no database. */

import {
  dayNumber,
  daysFrom,
  isAnchored,
  keepsDayOfMonth,
  plainOf,
  sameIndex,
} from '../../../../kernel/recurrence/days.ts'
import { type Rule, readRule } from '../../../../kernel/recurrence/rule.ts'
import { writeRule } from '../../../../kernel/recurrence/write.ts'
import { isDay } from '../../dates/model/index.ts'

export interface Series {
  /** As stored: a name, or a rule in its normal form. */
  rule: string
  /** As stored: a day, or a moment in UTC. */
  due: string | null
  start: Date | null
  /** The intended local start, if a clock change skipped it. */
  localStart?: string | null
  /** The start of the series, if the due date does not show it. */
  from: string | null
  zone: string
  now: Date
}

export interface NextDates {
  due_date: string | null
  start_date: Date | null
  repeats_from: string | null
  starts_from: string | null
}

/** A local day, with a time if the due date is a moment. */
export interface Local {
  day: Temporal.PlainDate
  time?: Temporal.PlainTime
}

const NO_START = { start_date: null, starts_from: null }

/** The dates of the next occurrence; undefined where the series or the calendar ends. */
export function nextDates(series: Series): NextDates | undefined {
  const { due, start } = series
  if (due === null && start) return nextStart(series, start)
  const anchor = anchorOf(series)
  const [occurrence] = occurrencesOf(series, anchor)
  if (!occurrence) return undefined
  const due_date = dateOf(series, occurrence)
  const { day } = actualLocal(series, occurrence)
  const previous = due === null ? day : localOf(series, due).day
  const startDates = start
    ? shiftStart(series, start, (from) => from.add(previous.until(day)))
    : NO_START
  if (!startDates || !inCalendar(due_date)) return undefined
  const repeats_from = impliesSeries(series, anchor, occurrence) ? null : anchorText(series, anchor)
  return { due_date, repeats_from, ...startDates }
}

/** The rule of the next task, to which COUNT leaves one task less. */
export function nextRule(recurrence: string): string {
  const rule = readRule(recurrence)
  return rule.count === undefined ? recurrence : writeRule({ ...rule, count: rule.count - 1 })
}

/**
 * Without a due date, the next start is one period after the completion, or after the planned start
 * if that is still to come and the rule does not count from completion.
 */
function nextStart(series: Series, start: Date): NextDates | undefined {
  const [now, old] = [today(series), startOf(series, start).toPlainDate()]
  const isAhead = Temporal.PlainDate.compare(old, now) > 0
  const base = isAhead && !readRule(series.rule).fromCompletion ? old : now
  const [next] = occurrencesOf(series, { day: base })
  const startDates = next && shiftStart(series, start, () => next.day)
  return startDates && { due_date: null, repeats_from: null, ...startDates }
}

const today = ({ now, zone }: Series) => toLocal(now, zone).toPlainDate()

const toLocal = (moment: Date, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(zone)

function localOf({ zone }: Pick<Series, 'zone'>, date: string): Local {
  if (isDay(date)) return { day: Temporal.PlainDate.from(date) }
  const at = date.endsWith(']')
    ? Temporal.ZonedDateTime.from(date).withTimeZone(zone)
    : Temporal.Instant.from(date).toZonedDateTimeISO(zone)
  return { day: at.toPlainDate(), time: at.toPlainTime() }
}

const startText = ({ due, from }: Series) =>
  due !== null && from !== null && isDay(from) === isDay(due) ? from : due

/** The start of the series: as stored, or the day of completion for rules that count from it. */
export function anchorOf(series: Series): Local {
  const text = startText(series)
  if (text === null) return { day: today(series) }
  const local = localOf(series, text)
  return readRule(series.rule).fromCompletion ? { ...local, day: today(series) } : local
}

/** The start of the series; undefined if its dates depend on the day of completion. */
export const projectedAnchor = (series: Series): Local | undefined =>
  readRule(series.rule).fromCompletion ? undefined : anchorOf(series)

const numberOf = (day: Temporal.PlainDate) => dayNumber(day.toString())

/** The days of a series, as numbers. */
export interface SeriesDays {
  /** The day after which the next occurrence comes. */
  previous: number
  /** The last possible day; infinite if the series does not end. */
  last: number
  /** The days from a given one on, without regard to `last`. */
  from(day: number): Generator<number, void>
}

export function seriesDays(series: Series, anchor: Local): SeriesDays {
  const rule = readRule(series.rule)
  const start = numberOf(anchor.day)
  const previous = previousDay(series, rule, start)
  const from = (day: number) => daysFrom(rule, start, day)
  const { until, count } = rule
  const last =
    count !== undefined
      ? lastCounted(series, anchor, count - 1, { previous, from })
      : until === undefined
        ? Number.POSITIVE_INFINITY
        : dayNumber(until)
  return { previous, last, from }
}

/** The last of the future days that COUNT leaves, which are counted from the next one. */
function lastCounted(
  series: Series,
  anchor: Local,
  count: number,
  days: Omit<SeriesDays, 'last'>,
): number {
  let [left, last] = [count, Number.NEGATIVE_INFINITY]
  for (const day of futureDays(series, anchor, days)) {
    if (left-- === 0) break
    last = day
  }
  return last
}

function* futureDays(
  series: Series,
  anchor: Local,
  { previous, from }: Omit<SeriesDays, 'last'>,
): Generator<number, void> {
  let isReached = false
  // A time that a clock change skips may fall on the next day, so the search starts yesterday.
  for (const day of from(Math.max(previous + 1, numberOf(today(series)) - 1))) {
    isReached ||= isFuture(series, { ...anchor, day: plainOf(day) })
    if (isReached) yield day
  }
}

/** The future dates of the series after the previous due date. */
export function* occurrencesOf(series: Series, anchor: Local): Generator<Local, void> {
  const days = seriesDays(series, anchor)
  for (const day of futureDays(series, anchor, days)) {
    if (day > days.last) return
    yield { ...anchor, day: plainOf(day) }
  }
}

/**
 * The day of the current due date in the series. It is found in the zone in which the series began:
 * in another zone, the start and the due date may shift differently.
 */
function previousDay(series: Series, rule: Rule, anchor: number): number {
  const [start, due] = [startText(series), series.due]
  if (start === null || due === null || start === due || rule.fromCompletion) return anchor
  const zone = start.endsWith(']') ? Temporal.ZonedDateTime.from(start).timeZoneId : series.zone
  const [first, day] = [start, due].map((date) => numberOf(localOf({ zone }, date).day)) as [
    number,
    number,
  ]
  return isAnchored(rule) ? sameIndex(rule, first, day, anchor) : anchor + day - first
}

const zoned = ({ zone }: Series, { day, time }: Required<Local>) =>
  day.toZonedDateTime({ timeZone: zone, plainTime: time })

const isFuture = (series: Series, { day, time }: Local) =>
  time
    ? zoned(series, { day, time }).epochMilliseconds > series.now.getTime()
    : Temporal.PlainDate.compare(day, today(series)) > 0

/** The actual local time: a time that a clock change skips moves, for example by an hour. */
function actualLocal(series: Series, { day, time }: Local): Local {
  if (!time) return { day }
  const at = zoned(series, { day, time })
  return { day: at.toPlainDate(), time: at.toPlainTime() }
}

export const dateOf = (series: Series, { day, time }: Local) =>
  time ? new Date(zoned(series, { day, time }).epochMilliseconds).toISOString() : day.toString()

/** Years beyond 9999 begin with a sign. */
export const inCalendar = (date: string) => /^\d/.test(date)

/** Whether a series that starts at the new due date would have the same dates. */
function impliesSeries(series: Series, anchor: Local, found: Local): boolean {
  const { day, time } = actualLocal(series, found)
  const sameTime = !time || !anchor.time || time.equals(anchor.time)
  const rule = readRule(series.rule)
  const isClamped = keepsDayOfMonth(rule) && day.day !== anchor.day.day && !rule.fromCompletion
  return sameTime && day.equals(found.day) && !isClamped
}

const anchorText = ({ zone }: Series, { day, time }: Local) =>
  time ? `${day.toPlainDateTime(time)}[${zone}]` : day.toString()

/** The intended local start. A start at the beginning of a day counts as midnight. */
function startOf({ zone, localStart }: Series, start: Date): Temporal.PlainDateTime {
  if (localStart) {
    const at = Temporal.ZonedDateTime.from(localStart)
    return at.timeZoneId === zone
      ? Temporal.PlainDateTime.from(localStart)
      : at.withTimeZone(zone).toPlainDateTime()
  }
  const at = toLocal(start, zone)
  return at.equals(at.startOfDay()) ? at.toPlainDate().toPlainDateTime() : at.toPlainDateTime()
}

/**
 * Moves the start date to another day at the same time of day; undefined after the end of the
 * calendar.
 */
function shiftStart(
  series: Series,
  start: Date,
  to: (day: Temporal.PlainDate) => Temporal.PlainDate,
): Pick<NextDates, 'start_date' | 'starts_from'> | undefined {
  const previous = startOf(series, start)
  const next = to(previous.toPlainDate()).toPlainDateTime(previous.toPlainTime())
  const at = next.toZonedDateTime(series.zone)
  const start_date = new Date(at.epochMilliseconds)
  if (!inCalendar(start_date.toISOString())) return undefined
  const existsLocally = at.toPlainDateTime().equals(next) || at.equals(at.startOfDay())
  return { start_date, starts_from: existsLocally ? null : `${next}[${series.zone}]` }
}
