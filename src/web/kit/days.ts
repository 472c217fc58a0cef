import type { Day } from './zone.ts'

/** Day arithmetic uses UTC, which has no daylight saving time. */
export const dateOf = (day: Day) => new Date(`${day}T12:00Z`)
export const formatDay = (date: Date): Day => date.toISOString().slice(0, 10)

export function addDays(day: Day, days: number): Day {
  const date = dateOf(day)
  date.setUTCDate(date.getUTCDate() + days)
  return formatDay(date)
}

/** The number of days from one day to another. */
export const daysBetween = (from: Day, to: Day) =>
  Math.round((Date.parse(to) - Date.parse(from)) / (24 * 60 * 60 * 1000))

export function addMonths(day: Day, months: number): Day {
  const date = dateOf(day)
  const dayOfMonth = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  date.setUTCDate(Math.min(dayOfMonth, daysInMonth(date)))
  return formatDay(date)
}

export const daysInMonth = (date: Date) =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()

/** The next Monday, or the one after if that is tomorrow, which has a name of its own. */
export function nextWeek(today: Day): Day {
  const days = (8 - dateOf(today).getUTCDay()) % 7 || 7
  return addDays(today, days === 1 ? 8 : days)
}

export const twoDigits = (number: number) => String(number).padStart(2, '0')
