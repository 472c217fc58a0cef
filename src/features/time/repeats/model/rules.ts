/** Computes the next due date of a repeating task. Pure functions: no clock, no database. */
import { isDay } from '../../dates/model/index.ts'

export const RECURRENCES = ['Daily', 'Weekdays', 'Weekly', 'Biweekly', 'Monthly'] as const
export type Recurrence = (typeof RECURRENCES)[number]

export interface Series {
  rule: Recurrence
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

const DAYS = { Daily: 1, Weekdays: 1, Weekly: 7, Biweekly: 14 }
const NO_START = { start_date: null, starts_from: null }
const SATURDAY = 6

/** The dates of the next occurrence; undefined where the calendar ends. */
export function nextDates(series: Series): NextDates | undefined {
  const { due, start } = series
  if (due === null && start) return nextStart(series, start)
  const anchor = anchorOf(series)
  const occurrence = nextOccurrence(series, anchor)
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

/**
 * Without a due date, the next start is one period after the completion, or after the planned start
 * if that is still to come.
 */
function nextStart(series: Series, start: Date): NextDates | undefined {
  const [now, old] = [today(series), startOf(series, start).toPlainDate()]
  const { day } = nextOccurrence(series, {
    day: Temporal.PlainDate.compare(old, now) > 0 ? old : now,
  })
  const startDates = shiftStart(series, start, () => day)
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

export function anchorOf(series: Series): Local {
  const text = startText(series)
  return text === null ? { day: today(series) } : localOf(series, text)
}

/** A date of the series, `n` periods after it began. */
export type Occurrence = Local & { n: number }

/** The first future date of the series after the previous due date. */
export function nextOccurrence(
  series: Series,
  anchor: Local,
  minimum = periodsSinceStart(series) + 1,
): Occurrence {
  const { rule } = series
  // A time that a clock change skips may fall on the next day, so the search starts one period
  // earlier.
  const current = periods(rule, anchor.day, today(series)) - 1
  for (let n = Math.max(minimum, current); ; n++) {
    const found = nthOccurrence(series, anchor, n)
    if (!isOff(series, found) && isFuture(series, found)) return found
  }
}

export const nthOccurrence = ({ rule }: Series, anchor: Local, n: number): Occurrence => ({
  ...anchor,
  day: after(rule, anchor.day, n),
  n,
})

export const isOff = ({ rule }: Series, { day }: Local) =>
  rule === 'Weekdays' && day.dayOfWeek >= SATURDAY

/**
 * The number of periods from the start to the current due date, in the zone in which the series
 * began: in another zone, both days may shift differently.
 */
export function periodsSinceStart(series: Series): number {
  const [start, due] = [startText(series), series.due]
  if (start === null || due === null) return 0
  const zone = start.endsWith(']') ? Temporal.ZonedDateTime.from(start).timeZoneId : series.zone
  return periods(series.rule, localOf({ zone }, start).day, localOf({ zone }, due).day)
}

/** Whole periods between two days. Monthly counts calendar months. */
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
  return (
    sameTime && day.equals(found.day) && !(series.rule === 'Monthly' && day.day !== anchor.day.day)
  )
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
