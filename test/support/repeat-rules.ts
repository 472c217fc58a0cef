import fc from 'fast-check'
import { parseRecurrence } from '../../src/features/time/repeats/model/index.ts'
import { CADENCES, partsOf } from '../../src/kernel/recurrence/rule.ts'

const between = (min: number, max: number) => fc.integer({ min, max })
const listOf = (item: fc.Arbitrary<string | number>, maxLength = 3) =>
  fc.array(item, { minLength: 1, maxLength }).map((items) => [...new Set(items)].join())
const weekday = fc.constantFrom('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU')
const nthWeekday = (...numbers: readonly string[]) =>
  fc.tuple(fc.constantFrom(...numbers), weekday).map((parts) => parts.join(''))
const weekdaysOfMonth = listOf(nthWeekday('', '1', '2', '3', '4', '5', '-1', '-2'))
const monthDays = listOf(fc.oneof(between(1, 31), between(28, 31), fc.constant(-1)))
const months = listOf(between(1, 12))
const interval = fc.oneof(fc.constant(1), between(2, 6), between(7, 40))

/** The rules of RFC 5545 that tasks support, without an end, in their normal form. */
export const repeatRules = fc
  .tuple(
    fc.oneof(
      fc.constantFrom('FREQ=DAILY', 'FREQ=WEEKLY', 'FREQ=MONTHLY', 'FREQ=YEARLY'),
      listOf(weekday, 7).map((days) => `FREQ=WEEKLY;BYDAY=${days}`),
      weekdaysOfMonth.map((days) => `FREQ=MONTHLY;BYDAY=${days}`),
      monthDays.map((days) => `FREQ=MONTHLY;BYMONTHDAY=${days}`),
      months.map((list) => `FREQ=YEARLY;BYMONTH=${list}`),
      fc.tuple(months, weekdaysOfMonth).map(([m, d]) => `FREQ=YEARLY;BYMONTH=${m};BYDAY=${d}`),
      // February has at least the last of these days.
      fc
        .tuple(months, monthDays, between(1, 28))
        .map(([m, d, day]) => `FREQ=YEARLY;BYMONTH=${m};BYMONTHDAY=${d},${day}`),
      listOf(nthWeekday('1', '20', '52', '-1', '-52')).map((d) => `FREQ=YEARLY;BYDAY=${d}`),
    ),
    interval,
  )
  .map(([rule, count]) => `${rule};INTERVAL=${count}`)
  .map(parseRecurrence)

/** These rules and the five names, of which some end after a day or a number of tasks. */
export const endedRules = fc
  .tuple(
    fc.oneof(fc.constantFrom(...Object.keys(CADENCES)), repeatRules),
    fc.oneof(
      fc.constant(''),
      between(2024, 2031).map((year) => `;UNTIL=${year}0301`),
      between(1, 40).map((count) => `;COUNT=${count}`),
    ),
  )
  .map(([rule, end]) => (end ? partsOf(rule) + end : rule))
