import { t } from '../messages/t.ts'
import { clock } from './dates.ts'
import { addDays, dateOf, nextWeek, twoDigits } from './days.ts'
import { type Day, dayFormatter, dayOf, momentOf, timeOf } from './zone.ts'

/** A day or a time with a name, such as "Tomorrow". */
export interface DatePreset {
  name: string
  /** The value that is sent to the server. */
  value: string
  /** The date as a short text. */
  hint: string
}

/** The time of day at which a snoozed task comes back. */
export const MORNING = '09:00'
const HOURS_LATER = 3
const LAST_HOUR = 21
const short = dayFormatter({ weekday: 'short', day: 'numeric', month: 'short' })

const tomorrow = (now: Date) => addDays(dayOf(now), 1)
const monday = (now: Date) => nextWeek(dayOf(now))

const laterToday = (value: string) => ({
  ...{ name: t('kit.later_today'), value, hint: clock(new Date(value)) },
})

/** The presets for snoozing a task. */
export function snoozePresets(now = new Date()): DatePreset[] {
  const hour = Number(timeOf(now).slice(0, 2)) + HOURS_LATER
  const preset = (name: string, day: Day) => ({
    ...{ name, value: momentOf(day, MORNING) },
    hint: short(dateOf(day)),
  })
  return [
    ...(hour <= LAST_HOUR ? [laterToday(momentOf(dayOf(now), `${twoDigits(hour)}:00`))] : []),
    preset(t('kit.tomorrow'), tomorrow(now)),
    preset(t('kit.next_week'), monday(now)),
  ]
}

/** The presets for a due date. */
export function duePresets(now = new Date()): DatePreset[] {
  const preset = (name: string, value: Day) => ({ name, value, hint: short(dateOf(value)) })
  return [
    preset(t('common.today'), dayOf(now)),
    preset(t('kit.tomorrow'), tomorrow(now)),
    preset(t('kit.next_week'), monday(now)),
  ]
}
