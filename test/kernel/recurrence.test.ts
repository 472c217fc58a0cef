import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { describeRule } from '../../src/kernel/recurrence/describe.ts'
import { readRule } from '../../src/kernel/recurrence/rule.ts'
import { writeRule } from '../../src/kernel/recurrence/write.ts'
import { endedRules } from '../support/repeat-rules.ts'

test.each([
  ['Daily', 'every day'],
  ['Weekdays', 'every weekday'],
  ['Weekly', 'every week'],
  ['Biweekly', 'every 2 weeks'],
  ['Monthly', 'every month'],
  [
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;UNTIL=20270301',
    'every 2 weeks on Monday and Friday, until 1 Mar 2027',
  ],
  ['FREQ=MONTHLY;INTERVAL=3;FROM=COMPLETION', 'every 3 months after completion'],
  ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;COUNT=5', 'every weekday, 5 times'],
  ['FREQ=DAILY;COUNT=1', 'every day, for the last time'],
  ['FREQ=MONTHLY;BYDAY=2FR', 'every month on the 2nd Friday'],
  ['FREQ=MONTHLY;BYDAY=MO,-1FR', 'every month on every Monday and the last Friday'],
  [
    'FREQ=MONTHLY;BYMONTHDAY=1,11,22,31,-1',
    'every month on the 1st, 11th, 22nd, 31st and last day',
  ],
  ['FREQ=YEARLY;BYMONTH=3,9', 'every year in March and September'],
  ['FREQ=YEARLY;BYMONTH=11;BYDAY=4TH', 'every year on the 4th Thursday of November'],
  ['FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=15', 'every year on the 15th of March'],
  ['FREQ=YEARLY;BYDAY=-2MO', 'every year on the 2nd last Monday of the year'],
])('the rule %s is described as: %s', (rule, words) => {
  expect(describeRule(rule)).toBe(words)
})

test('a rule in its normal form is the same after reading and writing it', () => {
  fc.assert(
    fc.property(endedRules, fc.boolean(), (rule, fromCompletion) => {
      const ended = { ...readRule(rule), fromCompletion }
      expect(readRule(writeRule(ended))).toEqual(ended)
    }),
  )
})
