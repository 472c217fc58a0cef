import { dateOf } from '../parts/days.ts'
import type { Day } from '../parts/zone.ts'

const timeZone = 'UTC'
const short = new Intl.DateTimeFormat(undefined, { timeZone, day: 'numeric', month: 'short' })
const whole = new Intl.DateTimeFormat(undefined, {
  ...{ timeZone, weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
})
export const shortDay = (day: Day) => short.format(dateOf(day))
export const wholeDay = (day: Day) => whole.format(dateOf(day))

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })
export const plain = (value: number) => number.format(value)

/** Hours and minutes, as time is told: 3:05 h. */
export function hours(seconds: number): string {
  const minutes = Math.round(seconds / MINUTE)
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')} h`
}

/** How long something took, in the unit that says it best. */
export function lasting(seconds: number | null): string {
  if (seconds === null) return '–'
  if (seconds < HOUR) return `${Math.max(1, Math.round(seconds / MINUTE))} min`
  if (seconds < 2 * DAY) return `${plain(seconds / HOUR)} h`
  return `${plain(seconds / DAY)} days`
}

export const many = (count: number, one: string, more = `${one}s`) =>
  `${plain(count)} ${count === 1 ? one : more}`
