import { dateOf } from './days.ts'
import { dayOf, inZone, onDays } from './zone.ts'

const DAY = 24 * 60 * 60 * 1000
const day = onDays({ day: 'numeric', month: 'short' })
const far = onDays({ day: 'numeric', month: 'short', year: 'numeric' })
const weekday = onDays({ weekday: 'short' })
const whole = onDays({ dateStyle: 'full' })
const moment = inZone(undefined, { dateStyle: 'full', timeStyle: 'short' })
export const clock = inZone(undefined, { hour: 'numeric', minute: '2-digit' })

let relative: Intl.RelativeTimeFormat | undefined
function inWords(many: number, unit: Intl.RelativeTimeFormatUnit): string {
  relative ??= new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
  return relative.format(many, unit)
}

const isDay = (text: string) => text.length === 10
/** The day that a day or a moment is on. */
const dayIn = (text: string) => dateOf(isDay(text) ? text : dayOf(new Date(text)))
const inShort = (on: Date, today: Date) =>
  (on.getUTCFullYear() === today.getUTCFullYear() ? day : far)(on)

/** When something is due, as short as it can be said, and in full. */
export function dueWords(text: string, now = new Date()): { short: string; full: string } {
  const on = dayIn(text)
  const today = dateOf(dayOf(now))
  const days = Math.round((on.getTime() - today.getTime()) / DAY)
  const at = isDay(text) ? '' : ` ${clock(new Date(text))}`
  const near =
    Math.abs(days) <= 1
      ? inWords(days, 'day')
      : days > 1 && days < 7
        ? weekday(on)
        : inShort(on, today)
  return {
    short: near.charAt(0).toUpperCase() + near.slice(1) + at,
    full: isDay(text) ? whole(on) : moment(new Date(text)),
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
    ? inWords(-Math.floor(ms / unit[1]), unit[0])
    : inShort(dayIn(text), dateOf(dayOf(now)))
  return { short, full }
}
