import {
  type Recurrence,
  type RecurrencePlan,
  recurrencePlan,
  type Series,
} from '../../repeats/model/index.ts'

/** Whose tasks a feed shows: those assigned to its owner, or all of the boards. */
export const WHATS = ['mine', 'all'] as const
export type What = (typeof WHATS)[number]

const DEFAULT_TITLES = { mine: 'Corkboard: my tasks', all: 'Corkboard: all tasks' }
export const titleOf = (what: What) => DEFAULT_TITLES[what]

/** A series on the 31st falls on the last day of every month. */
const LONGEST_MONTH = 31

/** A repeat as iCalendar describes it (RFC 5545, 3.3.10). */
export interface Repeat extends Omit<RecurrencePlan, 'day'> {
  rule: string
  time_zone: string
}

export function repeatOf(series: Series): Repeat | null {
  const plan = recurrencePlan(series)
  if (!plan) return null
  const { day, ...course } = plan
  return { ...course, rule: RULES[series.rule](day), time_zone: series.zone }
}

const RULES: Record<Recurrence, (day: number) => string> = {
  Daily: () => 'FREQ=DAILY',
  Weekdays: () => 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
  Weekly: () => 'FREQ=WEEKLY',
  Biweekly: () => 'FREQ=WEEKLY;INTERVAL=2',
  Monthly: (day) => `FREQ=MONTHLY;BYMONTHDAY=${day === LONGEST_MONTH ? -1 : day}`,
}
