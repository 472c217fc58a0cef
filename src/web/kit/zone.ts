import { locale } from './locale.ts'

/** Undefined means the zone of the browser. */
let zone: string | undefined

/** Sets the time zone of the signed-in user, in which the server counts days too. */
export function setTimeZone(next: string | undefined) {
  zone = next
}

/** A formatter for moments in the time zone of the user. */
export function zonedFormatter(locale: string | undefined, options: Intl.DateTimeFormatOptions) {
  let cached: { zone: string | undefined; format: Intl.DateTimeFormat } | undefined
  return (date: Date): string => {
    if (!cached || cached.zone !== zone)
      cached = { zone, format: new Intl.DateTimeFormat(locale, { ...options, timeZone: zone }) }
    return cached.format.format(date)
  }
}

/** A formatter for days, which are the same in every time zone. */
export function dayFormatter(options: Intl.DateTimeFormatOptions) {
  let cached: Intl.DateTimeFormat | undefined
  return (date: Date): string => {
    cached ??= new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
    return cached.format(date)
  }
}

/** The Swedish locale formats as 2026-11-20 09:30:00. */
const wallClock = zonedFormatter('sv', { dateStyle: 'short', timeStyle: 'medium' })

/** A day in the format of the server, YYYY-MM-DD; it does not depend on the time zone. */
export type Day = string

export const dayOf = (date: Date): Day => wallClock(date).slice(0, 10)
/** The time of day as HH:MM. */
export const timeOf = (date: Date) => wallClock(date).slice(11, 16)

const offsetAt = (time: number) =>
  Date.parse(`${wallClock(new Date(time)).replace(' ', 'T')}Z`) - Math.floor(time / 1000) * 1000

/** A time of day in the user's time zone, as an ISO timestamp. */
export function momentOf(day: Day, time: string): string {
  const asUtc = Date.parse(`${day}T${time}Z`)
  // The offset may change between the two times, so it is computed a second time.
  const guess = asUtc - offsetAt(asUtc)
  return new Date(asUtc - offsetAt(guess)).toISOString()
}
