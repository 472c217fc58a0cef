import { dateOf } from './days.ts'
import { dayOf, inZone } from './zone.ts'

const DAY = 24 * 60 * 60 * 1000
/** What names a day is the same in every zone. */
const timeZone = 'UTC'
const day = new Intl.DateTimeFormat(undefined, { timeZone, day: 'numeric', month: 'short' })
const far = new Intl.DateTimeFormat(undefined, {
  ...{ timeZone, day: 'numeric', month: 'short', year: 'numeric' },
})
const weekday = new Intl.DateTimeFormat(undefined, { timeZone, weekday: 'short' })
const whole = new Intl.DateTimeFormat(undefined, { timeZone, dateStyle: 'full' })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
const moment = inZone(undefined, { dateStyle: 'full', timeStyle: 'short' })
export const clock = inZone(undefined, { hour: 'numeric', minute: '2-digit' })

const isDay = (text: string) => text.length === 10
/** The day that a day or a moment is on. */
const dayIn = (text: string) => dateOf(isDay(text) ? text : dayOf(new Date(text)))
const inShort = (on: Date, today: Date) =>
  (on.getUTCFullYear() === today.getUTCFullYear() ? day : far).format(on)

/** When something is due, as short as it can be said, and in full. */
export function dueWords(text: string, now = new Date()): { short: string; full: string } {
  const on = dayIn(text)
  const today = dateOf(dayOf(now))
  const days = Math.round((on.getTime() - today.getTime()) / DAY)
  const at = isDay(text) ? '' : ` ${clock(new Date(text))}`
  const near =
    Math.abs(days) <= 1
      ? relative.format(days, 'day')
      : days > 1 && days < 7
        ? weekday.format(on)
        : inShort(on, today)
  return {
    short: near.charAt(0).toUpperCase() + near.slice(1) + at,
    full: isDay(text) ? whole.format(on) : moment(new Date(text)),
  }
}

const UNITS = [
  ['minute', 60_000, 60],
  ['hour', 3_600_000, 24],
  ['day', DAY, 7],
] as const

/** How long ago, up to a week; the day after that. */
export function agoWords(text: string, now = new Date()): { short: string; full: string } {
  const date = new Date(text)
  const ms = now.getTime() - date.getTime()
  const full = moment(date)
  if (ms < 60_000) return { short: 'just now', full }
  const unit = UNITS.find(([, size, most]) => ms < size * most)
  const short = unit
    ? relative.format(-Math.floor(ms / unit[1]), unit[0])
    : inShort(dayIn(text), dateOf(dayOf(now)))
  return { short, full }
}
