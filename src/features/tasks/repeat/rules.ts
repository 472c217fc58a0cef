/** When a repeating task is due next. Nothing here reads a clock or a database. */
import { isDay, type Recurrence } from '../rules.ts'

export interface Series {
  rule: Recurrence
  /** As it is stored: a day, or a moment in UTC. */
  due: string | null
  start: Date | null
  /** The local moment that the start stands for, where a clock change skipped it. */
  meant?: string | null
  /** What the series is counted from, where the due date itself does not say so. */
  from: string | null
  zone: string
  now: Date
}

export interface Next {
  due_date: string | null
  start_date: Date | null
  repeats_from: string | null
  starts_from: string | null
}

/** A day in the calendar, at a time of day if the due date is a moment. */
export interface Local {
  day: Temporal.PlainDate
  time?: Temporal.PlainTime
}

const DAYS = { Daily: 1, Weekdays: 1, Weekly: 7, Biweekly: 14 }
const NO_START = { start_date: null, starts_from: null }
const SATURDAY = 6

/** The dates of the next occurrence; undefined where the calendar ends. */
export function nextDates(series: Series): Next | undefined {
  const { due, start } = series
  if (due === null && start) return startingNext(series, start)
  const anchor = anchorOf(series)
  const found = following(series, anchor)
  const due_date = dateOf(series, found)
  const { day } = landing(series, found)
  const old = due === null ? day : localOf(series, due).day
  const begins = start ? moved(series, start, (from) => from.add(old.until(day))) : NO_START
  if (!begins || !inCalendar(due_date)) return undefined
  const repeats_from = isSaid(series, anchor, found) ? null : anchorText(series, anchor)
  return { due_date, repeats_from, ...begins }
}

/**
 * Without a due date it starts again one period after the day it was completed; after the day it
 * was to start, where that is still to come.
 */
function startingNext(series: Series, start: Date): Next | undefined {
  const [now, old] = [today(series), startOf(series, start).toPlainDate()]
  const { day } = following(series, { day: Temporal.PlainDate.compare(old, now) > 0 ? old : now })
  const begins = moved(series, start, () => day)
  return begins && { due_date: null, repeats_from: null, ...begins }
}

const today = ({ now, zone }: Series) => local(now, zone).toPlainDate()

const local = (moment: Date, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(zone)

function localOf({ zone }: Pick<Series, 'zone'>, date: string): Local {
  if (isDay(date)) return { day: Temporal.PlainDate.from(date) }
  const at = date.endsWith(']')
    ? Temporal.ZonedDateTime.from(date).withTimeZone(zone)
    : Temporal.Instant.from(date).toZonedDateTimeISO(zone)
  return { day: at.toPlainDate(), time: at.toPlainTime() }
}

const beginning = ({ due, from }: Series) =>
  due !== null && from !== null && isDay(from) === isDay(due) ? from : due

export function anchorOf(series: Series): Local {
  const text = beginning(series)
  return text === null ? { day: today(series) } : localOf(series, text)
}

/** One of the series, so many periods after it began. */
export type Found = Local & { n: number }

/** The first of the series after the old due date that is in the future. */
export function following(series: Series, anchor: Local, least = done(series) + 1): Found {
  const { rule } = series
  // A time that a clock change skips may fall on the day after: hence one period earlier.
  const late = periods(rule, anchor.day, today(series)) - 1
  for (let n = Math.max(least, late); ; n++) {
    const found = nth(series, anchor, n)
    if (!isOff(series, found) && isFuture(series, found)) return found
  }
}

export const nth = ({ rule }: Series, anchor: Local, n: number): Found => ({
  ...anchor,
  ...{ day: after(rule, anchor.day, n), n },
})

export const isOff = ({ rule }: Series, { day }: Local) =>
  rule === 'Weekdays' && day.dayOfWeek >= SATURDAY

/**
 * How many periods the old due date is into the series. Counted in the zone the series began in:
 * in another one, the days of both may be cut short differently.
 */
export function done(series: Series): number {
  const [from, due] = [beginning(series), series.due]
  if (from === null || due === null) return 0
  const zone = from.endsWith(']') ? Temporal.ZonedDateTime.from(from).timeZoneId : series.zone
  return periods(series.rule, localOf({ zone }, from).day, localOf({ zone }, due).day)
}

/** Whole periods between two days; for months, from one month to the other. */
const periods = (rule: Recurrence, from: Temporal.PlainDate, to: Temporal.PlainDate) =>
  rule === 'Monthly'
    ? (to.year - from.year) * 12 + to.month - from.month
    : Math.floor(from.until(to).days / DAYS[rule])

const after = (rule: Recurrence, day: Temporal.PlainDate, n: number) =>
  rule === 'Monthly' ? day.add({ months: n }) : day.add({ days: n * DAYS[rule] })

const zoned = ({ zone }: Series, { day, time }: Required<Local>) =>
  day.toZonedDateTime({ timeZone: zone, plainTime: time })

const isFuture = (series: Series, { day, time }: Local) =>
  time
    ? zoned(series, { day, time }).epochMilliseconds > series.now.getTime()
    : Temporal.PlainDate.compare(day, today(series)) > 0

/** Where it comes to lie: a time that a clock change skips is an hour later, say. */
function landing(series: Series, { day, time }: Local): Local {
  if (!time) return { day }
  const at = zoned(series, { day, time })
  return { day: at.toPlainDate(), time: at.toPlainTime() }
}

export const dateOf = (series: Series, { day, time }: Local) =>
  time ? new Date(zoned(series, { day, time }).epochMilliseconds).toISOString() : day.toString()

/** Years beyond 9999 are written with a sign. */
export const inCalendar = (date: string) => /^\d/.test(date)

/** A series counted from the new due date would go on just the same. */
function isSaid(series: Series, anchor: Local, found: Local): boolean {
  const { day, time } = landing(series, found)
  const sameTime = !time || !anchor.time || time.equals(anchor.time)
  return (
    sameTime && day.equals(found.day) && !(series.rule === 'Monthly' && day.day !== anchor.day.day)
  )
}

const anchorText = ({ zone }: Series, { day, time }: Local) =>
  time ? `${day.toPlainDateTime(time)}[${zone}]` : day.toString()

/** When it was to start by the clock on the wall; the start of a day is midnight there. */
function startOf({ zone, meant }: Series, start: Date): Temporal.PlainDateTime {
  if (meant) {
    const at = Temporal.ZonedDateTime.from(meant)
    return at.timeZoneId === zone
      ? Temporal.PlainDateTime.from(meant)
      : at.withTimeZone(zone).toPlainDateTime()
  }
  const at = local(start, zone)
  return at.equals(at.startOfDay()) ? at.toPlainDate().toPlainDateTime() : at.toPlainDateTime()
}

/** The start date on another day, at its own time of day; undefined where the calendar ends. */
function moved(
  series: Series,
  start: Date,
  to: (day: Temporal.PlainDate) => Temporal.PlainDate,
): Pick<Next, 'start_date' | 'starts_from'> | undefined {
  const old = startOf(series, start)
  const next = to(old.toPlainDate()).toPlainDateTime(old.toPlainTime())
  const at = next.toZonedDateTime(series.zone)
  const start_date = new Date(at.epochMilliseconds)
  if (!inCalendar(start_date.toISOString())) return undefined
  const isThere = at.toPlainDateTime().equals(next) || at.equals(at.startOfDay())
  return { start_date, starts_from: isThere ? null : `${next}[${series.zone}]` }
}
