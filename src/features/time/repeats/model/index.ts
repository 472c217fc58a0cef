export { type DateRange, occurrencesBetween, ZoneDays } from './between.ts'
export { parseRecurrence } from './parse.ts'
export { type NextDates, nextDates, nextRule, type Series } from './rules.ts'
export { type RecurrencePlan, recurrencePlan } from './upcoming.ts'
