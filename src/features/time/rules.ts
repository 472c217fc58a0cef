/** How time is counted. Nothing here reads a clock or a database. */

/** From and until when a timer ran, in seconds since 1970. */
export type Stretch = [from: number, to: number]

export const MOST_MINUTES = 1440
const MOST_NOTE = 500
const DAY = /^\d{4}-\d{2}-\d{2}$/

export const secondsOf = (moment: Date): number => Math.floor(moment.getTime() / 1000)
export const minutesOf = (seconds: number): number => Math.round(seconds / 60)
export const lengthOf = (stretches: readonly Stretch[]): number =>
  stretches.reduce((sum, [from, to]) => sum + to - from, 0)

/** With the time since `since`; a clock that was put back has counted nothing. */
export function counted(stretches: readonly Stretch[], since: Date | null, now: Date): Stretch[] {
  if (!since) return [...stretches]
  const [from, to] = [secondsOf(since), secondsOf(now)]
  return to > from ? [...stretches, [from, to]] : [...stretches]
}

/** What of the stretches lies between two moments. */
export const clipped = (stretches: readonly Stretch[], [first, last]: Stretch): Stretch[] =>
  stretches
    .map(([from, to]): Stretch => [Math.max(from, first), Math.min(to, last)])
    .filter(([from, to]) => to > from)

export const isDay = (text: string): boolean => DAY.test(text)

/** A day that exists. */
export function dayIn(text: string): string | undefined {
  try {
    return isDay(text) && Temporal.PlainDate.from(text).year > 0 ? text : undefined
  } catch {
    return undefined
  }
}

/** A moment; without an offset it is meant in the zone of whoever gave it. Names of zones are none. */
export function momentIn(text: string, zone: string): Date | undefined {
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

/** When a day begins in a zone, or one so many days later. */
export const startOf = (day: string, zone: string, later = 0): number =>
  Temporal.PlainDate.from(day).add({ days: later }).toZonedDateTime(zone).epochMilliseconds / 1000

/** How many seconds of each day there are in the stretches. */
export function byDay(stretches: readonly Stretch[], zone: string): Map<string, number> {
  const days = new Map<string, number>()
  for (const [begin, end] of stretches)
    for (let from = begin; from < end; ) {
      const day = dayAt(from, zone)
      const to = Math.min(end, startOf(day, zone, 1))
      days.set(day, (days.get(day) ?? 0) + to - from)
      from = to
    }
  return days
}

/** A fixed zone so many minutes west of UTC, as browsers tell theirs. */
export function zoneWest(minutes: number): string {
  const away = Math.abs(minutes)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${minutes > 0 ? '-' : '+'}${two(Math.floor(away / 60))}:${two(away % 60)}`
}

/** Trimmed, and cut where it grows long; nothing is no note. */
export const noteOf = (text: string | null | undefined): string | null =>
  [...(text ?? '').trim()].slice(0, MOST_NOTE).join('').trim() || null
