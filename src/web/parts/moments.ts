import { clock } from './dates.ts'
import { dateOf, nextWeek, plus, two } from './days.ts'
import { type Day, dayOf, momentOf, onDays, timeOf } from './zone.ts'

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
const short = onDays({ weekday: 'short', day: 'numeric', month: 'short' })

const tomorrow = (now: Date) => plus(dayOf(now), 1)
const monday = (now: Date) => nextWeek(dayOf(now))

const laterToday = (value: string) => ({
  ...{ name: 'Later today', value, hint: clock(new Date(value)) },
})

/** Until when a task is put off. */
export function snoozes(now = new Date()): Usual[] {
  const hour = Number(timeOf(now).slice(0, 2)) + HOURS_LATER
  const at = (name: string, day: Day) => ({
    ...{ name, value: momentOf(day, MORNING) },
    hint: short(dateOf(day)),
  })
  return [
    ...(hour <= LAST_HOUR ? [laterToday(momentOf(dayOf(now), `${two(hour)}:00`))] : []),
    at('Tomorrow', tomorrow(now)),
    at('Next week', monday(now)),
  ]
}

/** Days that tasks are usually due on. */
export function dues(now = new Date()): Usual[] {
  const on = (name: string, value: Day) => ({ name, value, hint: short(dateOf(value)) })
  return [on('Today', dayOf(now)), on('Tomorrow', tomorrow(now)), on('Next week', monday(now))]
}
