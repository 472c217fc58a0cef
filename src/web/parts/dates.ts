const DAY = 24 * 60 * 60 * 1000
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const far = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'short' })
const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' })
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

const isDay = (text: string) => text.length === 10
const midnight = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate())
/** A day is the same day wherever it is read. */
const dateOf = (text: string) => new Date(isDay(text) ? `${text}T00:00` : text)

/** When something is due, as short as it can be said, and in full. */
export function dueWords(text: string, now = new Date()): { short: string; full: string } {
  const date = dateOf(text)
  const days = Math.round((midnight(date).getTime() - midnight(now).getTime()) / DAY)
  const at = isDay(text) ? '' : ` ${clock.format(date)}`
  const near =
    Math.abs(days) <= 1
      ? relative.format(days, 'day')
      : days > 1 && days < 7
        ? weekday.format(date)
        : (date.getFullYear() === now.getFullYear() ? day : far).format(date)
  return {
    short: near.charAt(0).toUpperCase() + near.slice(1) + at,
    full: (isDay(text) ? whole : moment).format(date),
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
  const full = moment.format(date)
  if (ms < 60_000) return { short: 'just now', full }
  const unit = UNITS.find(([, size, most]) => ms < size * most)
  const short = unit
    ? relative.format(-Math.floor(ms / unit[1]), unit[0])
    : (date.getFullYear() === now.getFullYear() ? day : far).format(date)
  return { short, full }
}
