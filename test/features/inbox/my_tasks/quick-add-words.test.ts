import { afterEach, expect, test } from 'bun:test'
import * as words from 'chrono-node/en'
import fc from 'fast-check'
import {
  titleOf,
  withoutLiterals,
} from '../../../../src/features/inbox/my_tasks/model/natural/literal.ts'
import { readSchedule } from '../../../../src/features/inbox/my_tasks/model/natural/schedule.ts'
import { startCpuTimer } from '../../../support/time.ts'

const home = process.env.TZ
afterEach(() => {
  process.env.TZ = home ?? 'UTC'
})

/** Returns the due date of a line at the given zoned time, whatever the machine's time zone. */
function due(line: string, now: string, monthFirst = false) {
  const options = { now: Temporal.ZonedDateTime.from(now), monthFirst, parsers: words }
  return readSchedule(withoutLiterals(line), options).due_date
}

const MACHINES = [
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'America/St_Johns', 'Asia/Kathmandu'],
  ...['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Africa/Cairo', 'America/Santiago'],
]

test('due dates do not depend on the time zone of the machine', () => {
  const offsets = new Set<number>()
  for (const zone of MACHINES) {
    process.env.TZ = zone
    offsets.add(new Date(2026, 0, 1).getTimezoneOffset())
    // Ten minutes before midnight in Berlin. Some of the zones already have the next day.
    const lateEvening = '2026-11-20T23:50:00[Europe/Berlin]'
    expect(due('tomorrow', lateEvening)).toBe('2026-11-21')
    expect(due('tomorrow 9am', lateEvening)).toBe('2026-11-21T09:00:00+01:00')
    expect(due('saturday', lateEvening)).toBe('2026-11-21')
    expect(due('friday', lateEvening)).toBe('2026-11-20')
    expect(due('next friday', lateEvening)).toBe('2026-11-27')
    expect(due('in 20 minutes', lateEvening)).toBe('2026-11-21T00:10:00+01:00')
    expect(due('23:59 today', lateEvening)).toBe('2026-11-20T23:59:00+01:00')
    expect(due('at 23:49', lateEvening)).toBe('2026-11-21T23:49:00+01:00')
    const first = '2027-01-01T00:05:00[Pacific/Auckland]'
    expect(due('yesterday', first)).toBe('2026-12-31')
    expect(due('31 dec', first)).toBe('2027-12-31')
    expect(due('tomorrow at 9', first)).toBe('2027-01-02T09:00:00+13:00')
    // On these days a clock change in a machine's zone skips midnight or the requested hour.
    expect(due('tomorrow 0:30', '2027-04-29T12:00:00[UTC]')).toBe('2027-04-30T00:30:00+00:00')
    expect(due('today 2:30', '2026-03-29T01:00:00[UTC]')).toBe('2026-03-29T02:30:00+00:00')
    expect(due('sunday 2:30', '2026-03-07T12:00:00[UTC]')).toBe('2026-03-08T02:30:00+00:00')
  }
  expect(offsets.size).toBeGreaterThan(7)
})

test('a time skipped by a clock change is an hour later; a repeated one is its first occurrence', () => {
  expect(due('tomorrow 2:30', '2026-03-28T12:00:00[Europe/Berlin]')).toBe(
    '2026-03-29T03:30:00+02:00',
  )
  expect(due('tomorrow 2:30', '2026-10-24T12:00:00[Europe/Berlin]')).toBe(
    '2026-10-25T02:30:00+02:00',
  )
  expect(due('in 3 hours', '2026-03-29T00:30:00[Europe/Berlin]')).toBe('2026-03-29T04:30:00+02:00')
  expect(due('tomorrow 2:30', '2026-03-07T12:00:00[America/New_York]')).toBe(
    '2026-03-08T03:30:00-04:00',
  )
})

test('numeric dates follow the given order of day and month; dotted and ISO dates ignore it', () => {
  const now = '2026-11-20T12:00:00[UTC]'
  expect(due('3/4/2027', now, true)).toBe('2027-03-04')
  expect(due('3/4/2027', now, false)).toBe('2027-04-03')
  expect(due('on 29/2', now, false)).toBe('2028-02-29')
  expect(due('on 2/29', now, true)).toBe('2028-02-29')
  for (const monthFirst of [true, false]) {
    expect(due('24.12.2026', now, monthFirst)).toBe('2026-12-24')
    expect(due('2026-03-04', now, monthFirst)).toBe('2026-03-04')
  }
})

test('"every weekday", weekends, "in 1 month" and "on the 31st" resolve to days that exist', () => {
  const saturday = '2026-11-21T12:00:00[UTC]'
  expect(due('x every weekday', saturday)).toBe('2026-11-23')
  expect(due('x every weekday 9am', saturday)).toBe('2026-11-23T09:00:00+00:00')
  expect(due('x every weekday 9am', '2026-11-20T08:59:00[UTC]')).toBe('2026-11-20T09:00:00+00:00')
  expect(due('x every weekday 9am', '2026-11-20T09:00:00[UTC]')).toBe('2026-11-23T09:00:00+00:00')
  expect(due('in 1 month', '2027-01-31T12:00:00[UTC]')).toBe('2027-02-28')
  expect(due('on the 31st', '2027-02-10T12:00:00[UTC]')).toBe('2027-03-31')
  expect(due('next month', '2027-01-31T12:00:00[UTC]')).toBe('2027-02-01')
  const sunday = '2026-11-22T12:00:00[UTC]'
  expect([due('this weekend', saturday), due('this weekend', sunday)]).toEqual([
    ...['2026-11-21', '2026-11-22'],
  ])
  expect([due('next weekend', saturday), due('next weekend', sunday)]).toEqual([
    ...['2026-11-28', '2026-11-28'],
  ])
})

test('for any line the parts do not overlap, and with the title they make up the line', () => {
  const now = Temporal.ZonedDateTime.from('2026-11-20T13:00:00[Europe/Berlin]')
  const piece = fc.constantFrom(
    ...['tomorrow', 'every', 'day', 'monday', 'at', '9', '9am', 'or', 'and', 'to', 'in', '3', 'on'],
    ...['hours', 'weekly', 'from', 'the', '1st', 'dec', 'may', '24', 'of', '"', '(', ')', ',', '.'],
    ...['2026-12-01', '12/24', 'week', 'other', '\\#a', 'next', 'Pay', '-', '–', '!', 'night', 'ﬁ'],
    ...['until', 'except', 'first', 'last', 'CET', '25:00', '10am', 'evening', 'this', 'feb', '30'],
  )
  fc.assert(
    fc.property(
      fc.array(fc.tuple(piece, fc.constantFrom(' ', ' ', '  ', '')), { maxLength: 14 }),
      (all) => {
        const line = all.flat().join('')
        const { parts } = readSchedule(withoutLiterals(line), {
          now,
          monthFirst: false,
          parsers: words,
        })
        const sorted = parts.toSorted((a, b) => a.from - b.from)
        for (const [at, { text, from, to }] of sorted.entries()) {
          expect(from).toBeGreaterThanOrEqual(sorted[at - 1]?.to ?? 0)
          expect(line.slice(from, to)).toBe(text)
        }
        const alphanumeric = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '')
        const rest = sorted.reduceRight(
          (text, { from, to }) => text.slice(0, from) + text.slice(to),
          line,
        )
        expect(alphanumeric(titleOf(line, parts))).toBe(alphanumeric(rest))
      },
    ),
    { numRuns: 2000 },
  )
})

test('dozens of repetitive lines of 500 characters are parsed with little work', () => {
  const now = Temporal.ZonedDateTime.from('2026-11-20T13:00:00[Europe/Berlin]')
  const options = { now, monthFirst: false, parsers: words }
  const repeated = (text: string) => text.repeat(500).slice(0, 500)
  readSchedule('tomorrow', options)
  const elapsedCpu = startCpuTimer()
  const bad = [
    'every ',
    'at ',
    ' ',
    'in 1 ',
    'on ',
    '24 of ',
    'daily ',
    'every other ',
    '9 ',
    '"',
    '(',
    '9:30 ',
  ]
  for (const text of [
    ...bad,
    'due on ',
    'tomorrow ',
    'every monday,',
    'every monday and ',
    'every day at 9 and ',
    'every day at 9,',
    'every day except ',
    'every day from mon to ',
    'every month on the 1st, ',
    'end of every ',
    'on the 1st of ',
    'at 25:00 CET ',
    'a-',
    'next ',
    '/',
    '1/',
  ])
    for (const end of ['', 'x', '  x']) readSchedule(withoutLiterals(repeated(text) + end), options)
  expect(elapsedCpu()).toBeLessThan(2000)
})
