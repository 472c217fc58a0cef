import { t } from '../messages/t.ts'
import { dateOf } from './days.ts'
import { locale } from './locale.ts'
import { dayFormatter, dayOf, zonedFormatter } from './zone.ts'

const DAY = 24 * 60 * 60 * 1000
const day = dayFormatter({ day: 'numeric', month: 'short' })
const dayAndYear = dayFormatter({ day: 'numeric', month: 'short', year: 'numeric' })
const weekday = dayFormatter({ weekday: 'short' })
const fullDay = dayFormatter({ dateStyle: 'full' })
const moment = zonedFormatter(locale, { dateStyle: 'full', timeStyle: 'short' })
export const shortMoment = zonedFormatter(locale, { dateStyle: 'medium', timeStyle: 'short' })
export const clock = zonedFormatter(locale, { hour: 'numeric', minute: '2-digit' })

let relative: Intl.RelativeTimeFormat | undefined
function relativeText(count: number, unit: Intl.RelativeTimeFormatUnit): string {
  relative ??= new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  return relative.format(count, unit)
}

const isDay = (text: string) => text.length === 10
/** The date of a day, or the date on which a moment falls. */
const dayIn = (text: string) => dateOf(isDay(text) ? text : dayOf(new Date(text)))
const shortDate = (date: Date, today: Date) =>
  (date.getUTCFullYear() === today.getUTCFullYear() ? day : dayAndYear)(date)

/** When something is due: a short label and the full date. */
export function dueText(text: string, now = new Date()): { short: string; full: string } {
  const date = dayIn(text)
  const today = dateOf(dayOf(now))
  const days = Math.round((date.getTime() - today.getTime()) / DAY)
  const time = isDay(text) ? '' : ` ${clock(new Date(text))}`
  const dayName =
    Math.abs(days) <= 1
      ? relativeText(days, 'day')
      : days > 1 && days < 7
        ? weekday(date)
        : shortDate(date, today)
  return {
    short: dayName.charAt(0).toUpperCase() + dayName.slice(1) + time,
    full: isDay(text) ? fullDay(date) : moment(new Date(text)),
  }
}

const UNITS = [
  ['minute', 60_000, 60],
  ['hour', 3_600_000, 24],
  ['day', DAY, 7],
] as const

/** How long ago it was, up to a week; then the date. */
export function agoText(text: string, now = new Date()): { short: string; full: string } {
  const date = new Date(text)
  const ms = now.getTime() - date.getTime()
  const full = moment(date)
  if (ms < 60_000) return { short: t('kit.just_now'), full }
  const unit = UNITS.find(([, size, max]) => ms < size * max)
  const short = unit
    ? relativeText(-Math.floor(ms / unit[1]), unit[0])
    : shortDate(dayIn(text), dateOf(dayOf(now)))
  return { short, full }
}
