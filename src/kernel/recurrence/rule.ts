/**
 * Repeat rules as they are stored: one of five named cadences, or a rule of RFC 5545. The app uses
 * this folder too, so it imports nothing.
 */
export const CADENCES = {
  Daily: 'FREQ=DAILY',
  Weekdays: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
  Weekly: 'FREQ=WEEKLY',
  Biweekly: 'FREQ=WEEKLY;INTERVAL=2',
  Monthly: 'FREQ=MONTHLY',
} as const
export type Cadence = keyof typeof CADENCES

export type Frequency = 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'

/** A day of the week. 0 is Monday. */
export interface Weekday {
  weekday: number
  /** 2 is the second such day of the month or year, -1 the last; 0 is each of them. */
  nth: number
}

export interface Rule {
  frequency: Frequency
  interval: number
  weekdays: readonly Weekday[]
  /** -1 is the last day of the month. */
  monthDays: readonly number[]
  /** 1 is January. */
  months: readonly number[]
  /** The last possible day, such as 2027-03-01. */
  until: string | undefined
  /** The number of tasks that are left in the series, with the current one. */
  count: number | undefined
  /** Whether dates are computed from the day of completion instead of from the due date. */
  fromCompletion: boolean
}

export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

const itemsOf = (list = '') => list.split(',').filter(Boolean)

/** The parts of a valid rule, also of a name. */
export const partsOf = (recurrence: string): string => CADENCES[recurrence as Cadence] ?? recurrence

/** Reads a valid rule. */
export function readRule(recurrence: string): Rule {
  const parts: Record<string, string> = Object.fromEntries(
    partsOf(recurrence)
      .split(';')
      .map((part) => part.split('=')),
  )
  return {
    frequency: parts.FREQ as Frequency,
    interval: Number(parts.INTERVAL ?? 1),
    weekdays: itemsOf(parts.BYDAY).map((day) => ({
      weekday: WEEKDAYS.indexOf(day.slice(-2)),
      nth: Number(day.slice(0, -2)),
    })),
    monthDays: itemsOf(parts.BYMONTHDAY).map(Number),
    months: itemsOf(parts.BYMONTH).map(Number),
    until: parts.UNTIL?.replace(/(....)(..)(..)/, '$1-$2-$3'),
    count: parts.COUNT === undefined ? undefined : Number(parts.COUNT),
    fromCompletion: parts.FROM !== undefined,
  }
}
