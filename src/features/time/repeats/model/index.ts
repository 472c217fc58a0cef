export { type DateRange, dayNumber, occurrencesBetween, ZoneDays } from './between.ts'
export { type NextDates, nextDates, RECURRENCES, type Recurrence, type Series } from './rules.ts'
export { type RecurrencePlan, recurrencePlan } from './upcoming.ts'
