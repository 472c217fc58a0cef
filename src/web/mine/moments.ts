/** Moments and days that people name; in the time of this machine. */
export interface Moment {
  name: string
  /** What is given to the server. */
  value: string
  /** When that is, in short. */
  hint: string
}

const MORNING = 9
const HOURS_LATER = 3
const LAST_HOUR = 21
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'short' })
const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })

/** That many days on; 1 is tomorrow. */
function at(now: Date, days: number, hour: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour)
}

/** Days to the next Monday that is not tomorrow, which has a name already. */
function toMonday(now: Date): number {
  const days = (8 - now.getDay()) % 7 || 7
  return days === 1 ? 8 : days
}

export function snoozes(now = new Date()): Moment[] {
  const later = at(now, 0, now.getHours() + HOURS_LATER)
  const tomorrow = at(now, 1, MORNING)
  const monday = at(now, toMonday(now), MORNING)
  const named = (name: string, date: Date, hint: string) => ({
    ...{ name, value: date.toISOString() },
    hint,
  })
  return [
    ...(now.getHours() + HOURS_LATER <= LAST_HOUR
      ? [named('Later today', later, clock.format(later))]
      : []),
    named('Tomorrow', tomorrow, `${weekday.format(tomorrow)} ${clock.format(tomorrow)}`),
    named('Next week', monday, `${weekday.format(monday)} ${day.format(monday)}`),
  ]
}

export const isoDay = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')

export function dues(now = new Date()): Moment[] {
  const on = (name: string, date: Date) => ({
    ...{ name, value: isoDay(date) },
    hint: `${weekday.format(date)} ${day.format(date)}`,
  })
  return [
    on('Today', now),
    on('Tomorrow', at(now, 1, MORNING)),
    on('Next week', at(now, toMonday(now), MORNING)),
  ]
}
