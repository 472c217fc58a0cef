import { type Course, courseOf, type Recurrence, type Series } from '../tasks/index.ts'

/** Whose tasks a feed shows: those assigned to its owner, or all of the boards. */
export const WHATS = ['mine', 'all'] as const
export type What = (typeof WHATS)[number]

const BEGUN = { mine: 'Corkboard: my tasks', all: 'Corkboard: all tasks' }
export const titleOf = (what: What) => BEGUN[what]

/** The 31st is the last day of every month. */
const LONGEST = 31

/** How a task comes again, in the words of iCalendar (RFC 5545, 3.3.10). */
export interface Repeat extends Omit<Course, 'day'> {
  rule: string
  time_zone: string
}

export function repeatOf(series: Series): Repeat | null {
  const found = courseOf(series)
  if (!found) return null
  const { day, ...course } = found
  return { ...course, rule: RULES[series.rule](day), time_zone: series.zone }
}

const RULES: Record<Recurrence, (day: number) => string> = {
  Daily: () => 'FREQ=DAILY',
  Weekdays: () => 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
  Weekly: () => 'FREQ=WEEKLY',
  Biweekly: () => 'FREQ=WEEKLY;INTERVAL=2',
  Monthly: (day) => `FREQ=MONTHLY;BYMONTHDAY=${day === LONGEST ? -1 : day}`,
}
