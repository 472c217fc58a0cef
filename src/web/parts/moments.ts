import { type Day, dateOf, dayOf, momentOf, nextWeek, plus } from './days.ts'

/** A day or a moment that people have a name for. */
export interface Usual {
  name: string
  /** As it is given to the server. */
  value: string
  /** When that is, in short. */
  hint: string
}

/** When a day begins that somebody puts something off to. */
export const MORNING = '09:00'
const HOURS_LATER = 3
const LAST_HOUR = 21
const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })
const short = new Intl.DateTimeFormat(undefined, {
  ...{ weekday: 'short', day: 'numeric', month: 'short' },
})

const tomorrow = (now: Date) => plus(dayOf(now), 1)
const monday = (now: Date) => nextWeek(dayOf(now))

/** Until when a task is put off. */
export function snoozes(now = new Date()): Usual[] {
  const hour = now.getHours() + HOURS_LATER
  const later = new Date(now.getFullYear(), now.getMonth(), now.getDate(), hour)
  const at = (name: string, day: Day) => ({
    ...{ name, value: momentOf(day, MORNING) },
    hint: short.format(dateOf(day)),
  })
  return [
    ...(hour <= LAST_HOUR
      ? [{ name: 'Later today', value: later.toISOString(), hint: clock.format(later) }]
      : []),
    at('Tomorrow', tomorrow(now)),
    at('Next week', monday(now)),
  ]
}

/** Days that tasks are usually due on. */
export function dues(now = new Date()): Usual[] {
  const on = (name: string, value: Day) => ({ name, value, hint: short.format(dateOf(value)) })
  return [on('Today', dayOf(now)), on('Tomorrow', tomorrow(now)), on('Next week', monday(now))]
}
