import { type RecurrencePlan, recurrencePlan, type Series } from '../../repeats/model/index.ts'

/** Whose tasks a feed shows: those assigned to its owner, or all of the boards. */
export const WHATS = ['mine', 'all'] as const
export type What = (typeof WHATS)[number]

const DEFAULT_TITLES = { mine: 'Corkboard: my tasks', all: 'Corkboard: all tasks' }
export const titleOf = (what: What) => DEFAULT_TITLES[what]

/** A repeat as iCalendar describes it (RFC 5545, 3.3.10). */
export interface Repeat extends RecurrencePlan {
  time_zone: string
}

export function repeatOf(series: Series): Repeat | null {
  const plan = recurrencePlan(series)
  return plan ? { ...plan, time_zone: series.zone } : null
}
