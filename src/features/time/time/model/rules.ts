/** Pure functions that count time. They use neither clock nor database. */

/** A period in which a timer ran, in seconds since 1970. */
export type Stretch = [from: number, to: number]

export const MAX_MINUTES = 1440
const MAX_NOTE_LENGTH = 500
const DAY = /^\d{4}-\d{2}-\d{2}$/

export const secondsOf = (moment: Date): number => Math.floor(moment.getTime() / 1000)
export const minutesOf = (seconds: number): number => Math.round(seconds / 60)
export const lengthOf = (stretches: readonly Stretch[]): number =>
  stretches.reduce((sum, [from, to]) => sum + to - from, 0)

/** Adds the stretch from `since` to now. If the clock was set back, nothing is added. */
export function stretchesUntil(
  stretches: readonly Stretch[],
  since: Date | null,
  now: Date,
): Stretch[] {
  if (!since) return [...stretches]
  const [from, to] = [secondsOf(since), secondsOf(now)]
  return to > from ? [...stretches, [from, to]] : [...stretches]
}

/** Clips stretches to a range. */
export const clip = (stretches: readonly Stretch[], [first, last]: Stretch): Stretch[] =>
  stretches
    .map(([from, to]): Stretch => [Math.max(from, first), Math.min(to, last)])
    .filter(([from, to]) => to > from)

export const isDay = (text: string): boolean => DAY.test(text)

/** Returns the text if it is a day that exists in the calendar. */
export function parseDay(text: string): string | undefined {
  try {
    return isDay(text) && Temporal.PlainDate.from(text).year > 0 ? text : undefined
  } catch {
    return undefined
  }
}

/**
 * Parses a date and time. Without an offset it is in the given zone. Zone names are not accepted.
 */
export function parseMoment(text: string, zone: string): Date | undefined {
  if (text.includes('[')) return undefined
  try {
    const ms = /(Z|[+-]\d{2}:?\d{2})$/i.test(text)
      ? Temporal.Instant.from(text).epochMilliseconds
      : Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds
    const year = new Date(ms).getUTCFullYear()
    return year > 0 && year < 10_000 ? new Date(ms) : undefined
  } catch {
    return undefined
  }
}

export const dayAt = (seconds: number, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(seconds * 1000)
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toString()

/** Returns when a day, or one some days later, begins in a zone, in seconds. */
export const startOfDay = (day: string, zone: string, daysLater = 0): number =>
  Temporal.PlainDate.from(day).add({ days: daysLater }).toZonedDateTime(zone).epochMilliseconds /
  1000

/** Splits the stretches into seconds per day. */
export function secondsByDay(stretches: readonly Stretch[], zone: string): Map<string, number> {
  const days = new Map<string, number>()
  for (const [begin, end] of stretches)
    for (let from = begin; from < end; ) {
      const day = dayAt(from, zone)
      const to = Math.min(end, startOfDay(day, zone, 1))
      days.set(day, (days.get(day) ?? 0) + to - from)
      from = to
    }
  return days
}

/** Returns a fixed-offset zone from minutes west of UTC, as in `Date.getTimezoneOffset()`. */
export function zoneFromOffset(minutes: number): string {
  const offset = Math.abs(minutes)
  const twoDigits = (number: number) => String(number).padStart(2, '0')
  return `${minutes > 0 ? '-' : '+'}${twoDigits(Math.floor(offset / 60))}:${twoDigits(offset % 60)}`
}

/** Trims and truncates a note. An empty note becomes null. */
export const normalizeNote = (text: string | null | undefined): string | null =>
  [...(text ?? '').trim()].slice(0, MAX_NOTE_LENGTH).join('').trim() || null
