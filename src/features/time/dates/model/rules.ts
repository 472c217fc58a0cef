/** Days and moments as people write them. Pure functions: no clock, no database. */
const DAY = /^\d{4}-\d{2}-\d{2}$/
const MOMENT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/i
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z')

export const isDay = (date: string) => DAY.test(date)

/**
 * Returns a day unchanged and a moment in UTC; undefined if it is neither or not in the calendar.
 */
export function normalizeDate(text: string, zone: string): string | undefined {
  if (!DAY.test(text) && !MOMENT.test(text)) return undefined
  try {
    return DAY.test(text) ? validDay(text) : toMoment(text, zone)?.toISOString()
  } catch {
    return undefined
  }
}

const validDay = (text: string) => (Temporal.PlainDate.from(text).year > 0 ? text : undefined)

/** A moment without an offset is read in the given zone. */
function toMoment(text: string, zone: string): Date | undefined {
  const ms = /(Z|[+-]\d{2}:?\d{2})$/i.test(text)
    ? Temporal.Instant.from(text).epochMilliseconds
    : Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds
  const date = new Date(ms)
  // Years outside 1 to 9999 need more digits in ISO 8601 than the API and the databases accept.
  return ms <= LAST_MOMENT && date.getUTCFullYear() > 0 ? date : undefined
}

/** The first moment of a day in a zone. */
export const startOf = (day: string, zone: string) =>
  new Date(Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds)

/**
 * The last moment before the task is overdue: the end of a due day in the zone, or the due moment.
 */
export function dueAt(due: string, zone: string): Date {
  if (!isDay(due)) return new Date(due)
  const next = Temporal.PlainDate.from(due).add({ days: 1 }).toZonedDateTime(zone)
  return new Date(Math.min(next.epochMilliseconds - 1, LAST_MOMENT))
}
