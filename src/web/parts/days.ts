import type { Day } from './zone.ts'

/** Days are counted where no clock is ever set. */
export const dateOf = (day: Day) => new Date(`${day}T12:00Z`)
export const spelled = (date: Date): Day => date.toISOString().slice(0, 10)

export function plus(day: Day, days: number): Day {
  const date = dateOf(day)
  date.setUTCDate(date.getUTCDate() + days)
  return spelled(date)
}

export function plusMonths(day: Day, months: number): Day {
  const date = dateOf(day)
  const was = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  date.setUTCDate(Math.min(was, lastOf(date)))
  return spelled(date)
}

export const lastOf = (date: Date) =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()

/** The next Monday that is not tomorrow, which has a name already. */
export function nextWeek(today: Day): Day {
  const days = (8 - dateOf(today).getUTCDay()) % 7 || 7
  return plus(today, days === 1 ? 8 : days)
}

export const two = (number: number) => String(number).padStart(2, '0')
