import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { RRuleTemporal } from 'rrule-temporal'
import {
  nextDates,
  nextRule,
  type Series,
} from '../../../../src/features/time/repeats/model/index.ts'
import { upcomingDates } from '../../../../src/features/time/repeats/model/upcoming.ts'
import { partsOf } from '../../../../src/kernel/recurrence/rule.ts'
import { repeatRules } from '../../../support/repeat-rules.ts'
import { scaleCount } from '../../../support/scale.ts'
import { startCpuTimer } from '../../../support/time.ts'

const HOUR = 3_600_000
const between = (min: number, max: number) => fc.integer({ min, max })

const cases = fc.record({
  rule: repeatRules,
  zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Auckland'),
  minute: between(Date.UTC(2019, 11, 25) / 60_000, Date.UTC(2029, 1, 5) / 60_000),
  isDay: fc.boolean(),
  /** How the series ends: after a number of days, after a number of tasks, or never. */
  end: fc.oneof(
    fc.constant({}),
    between(0, 2000).map((days) => ({ days })),
    between(1, 4).map((count) => ({ count })),
  ) as fc.Arbitrary<{ days?: number; count?: number }>,
  fromCompletion: fc.boolean(),
  /** Hours from a due date to its completion, for four occurrences. Negative hours are early. */
  waits: fc.array(fc.oneof(between(-100, 0), between(0, 100), between(0, 9000)), {
    minLength: 4,
    maxLength: 4,
  }),
})
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never

/**
 * Returns the rules of the library for the dates of a series that begins on `anchor`. Without a
 * day, months and years keep that of the anchor, or take the last day of a shorter month.
 */
function libraryRules(rule: string, anchor: Temporal.PlainDate): string[] {
  const parts = partsOf(rule)
  if (!/MONTHLY|YEARLY/.test(parts) || /BYDAY|BYMONTHDAY/.test(parts)) return [parts]
  const days = [28, 29, 30, 31].filter((day) => day <= anchor.day)
  const day = days.length ? `BYMONTHDAY=${days};BYSETPOS=-1` : `BYMONTHDAY=${anchor.day}`
  if (parts.includes('MONTHLY')) return [`${parts};${day}`]
  const months = /BYMONTH=([\d,]+)/.exec(parts)?.[1]?.split(',') ?? [anchor.month]
  return months.map((month) => `${parts.replace(/;BYMONTH=[\d,]+/, '')};BYMONTH=${month};${day}`)
}

function nextDay(expander: RRuleTemporal, after: Temporal.PlainDate) {
  try {
    return expander.next(new Date(`${after}T00:00:00Z`), false)
  } catch (error) {
    // The 31st of every April, for example, does not exist.
    if (String(error).includes('Maximum iterations')) return null
    throw error
  }
}

/** Returns the first day of a series after another day, by a library of calendar rules. */
function dayAfter(rule: string, anchor: Temporal.PlainDate, day: Temporal.PlainDate) {
  const found = libraryRules(rule, anchor).flatMap((rruleString) => {
    const expander = new RRuleTemporal({ rruleString, dtstart: anchor.toZonedDateTime('UTC') })
    return nextDay(expander, day)?.toPlainDate() ?? []
  })
  return found.sort(Temporal.PlainDate.compare)[0]
}

/** The local noon of a moment's day: no clock change moves it. */
function anchorOf({ minute, zone }: Case): Temporal.ZonedDateTime {
  const at = Temporal.Instant.fromEpochMilliseconds(minute * 60_000).toZonedDateTimeISO(zone)
  return at.with({ hour: 12 })
}

function ruleOf({ rule, end, fromCompletion }: Case, first: Temporal.PlainDate): string {
  const until = end.days === undefined ? undefined : first.add({ days: end.days })
  return [
    until || end.count || fromCompletion ? partsOf(rule) : rule,
    ...(until ? [`UNTIL=${until.toString().replaceAll('-', '')}`] : []),
    ...(end.count ? [`COUNT=${end.count}`] : []),
    ...(fromCompletion ? ['FROM=COMPLETION'] : []),
  ].join(';')
}

/** Completes the tasks of a series one after the other, and compares each date with the library. */
function compareSeries(one: Case): number {
  const { zone, isDay, end, fromCompletion } = one
  const first = anchorOf(one)
  const written = (at: Temporal.ZonedDateTime) =>
    isDay ? at.toPlainDate().toString() : new Date(at.epochMilliseconds).toISOString()
  let [at, recurrence, from] = [first, ruleOf(one, first.toPlainDate()), null as string | null]
  let compared = 0
  for (const wait of one.waits) {
    const now = at.add({ milliseconds: wait * HOUR + 1 })
    const due = written(at)
    const series: Series = {
      ...{ rule: recurrence, due, start: null, from, zone },
      now: new Date(now.epochMilliseconds),
    }
    const next = nextDates(series)
    compared++
    const isLast = compared === end.count
    const expected = isLast ? undefined : expectedDay(one, first, at, now)
    expect([one, recurrence, due, next?.due_date]).toEqual([
      ...[one, recurrence, due, expected && written(expected)],
    ])
    if (!fromCompletion)
      expect([one, upcomingDates(series).next().value]).toEqual([one, next?.due_date ?? undefined])
    if (!next || !expected) return compared
    recurrence = nextRule(recurrence)
    if (end.count) expect(recurrence).toContain(`COUNT=${end.count - compared}`)
    from = next.repeats_from
    at = expected
  }
  return compared
}

/** Returns the date that follows `at` in the future, if the series has not ended. */
function expectedDay(
  { rule, isDay, end, fromCompletion }: Case,
  first: Temporal.ZonedDateTime,
  at: Temporal.ZonedDateTime,
  now: Temporal.ZonedDateTime,
): Temporal.ZonedDateTime | undefined {
  const today = now.toPlainDate()
  const isPassed = isDay || Temporal.PlainTime.compare(now.toPlainTime(), at.toPlainTime()) >= 0
  const reached = isPassed ? today : today.subtract({ days: 1 })
  const old = at.toPlainDate()
  const isLate = Temporal.PlainDate.compare(reached, old) > 0
  const day = fromCompletion
    ? dayAfter(rule, today, today)
    : dayAfter(rule, first.toPlainDate(), isLate ? reached : old)
  const last = end.days === undefined ? undefined : first.toPlainDate().add({ days: end.days })
  const isEnded = !day || (last && Temporal.PlainDate.compare(day, last) > 0)
  return isEnded
    ? undefined
    : day.toZonedDateTime({ timeZone: at.timeZoneId, plainTime: at.toPlainTime() })
}

test('the dates of random rules of RFC 5545 match a library of calendar rules', () => {
  let compared = 0
  const numRuns = scaleCount(500, 20_000)
  fc.assert(
    fc.property(cases, (one) => {
      compared += compareSeries(one)
    }),
    { numRuns },
  )
  expect(compared).toBeGreaterThan(numRuns * 2)
}, 1_200_000)

/** Returns the due date and those that follow it, if each task is completed at once. */
const dates = (rule: string, due: string, count: number, overrides: Partial<Series> = {}) => [
  due,
  ...upcomingDates({
    ...{ rule, due, start: null, from: null, zone: 'Europe/Berlin', ...overrides },
    now: overrides.now ?? new Date(`${due.slice(0, 10)}T00:00:00Z`),
  }).take(count - 1),
]

test('the 53rd Monday of a year exists only in years that have one', () => {
  expect(dates('FREQ=YEARLY;BYDAY=53MO', '2018-12-31', 3)).toEqual([
    ...['2018-12-31', '2024-12-30', '2029-12-31'],
  ])
})

test('a year from 29 February is clamped to the 28th, and back on the 29th in leap years', () => {
  expect(dates('FREQ=YEARLY', '2028-02-29', 5)).toEqual([
    ...['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'],
  ])
})

test('every second week counts from the week of the due date, which begins on Monday', () => {
  // 22 November 2026 is a Sunday.
  expect(dates('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU', '2026-11-22', 4)).toEqual([
    ...['2026-11-22', '2026-11-30', '2026-12-06', '2026-12-14'],
  ])
})

test('a rule without dates in its months opens no next task and is found out with little work', () => {
  const elapsedCpu = startCpuTimer()
  expect(dates('FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=31', '2026-04-30', 2)).toHaveLength(1)
  expect(dates('FREQ=YEARLY;INTERVAL=999;BYDAY=53MO', '2026-04-30', 9).length).toBeLessThan(9)
  expect(elapsedCpu()).toBeLessThan(200)
})

test('a time that a clock change skips is an hour later on that day only', () => {
  const night = dates('FREQ=WEEKLY;BYDAY=SA,SU', '2027-03-27T01:30:00.000Z', 3)
  expect(night.slice(1)).toEqual(['2027-03-28T01:30:00.000Z', '2027-04-03T00:30:00.000Z'])
})

test('COUNT counts the dates from now on, not those that were missed', () => {
  const now = new Date('2026-12-20T12:00:00Z')
  expect(dates('FREQ=WEEKLY;COUNT=3', '2026-11-20', 9, { now })).toEqual([
    ...['2026-11-20', '2026-12-25', '2027-01-01'],
  ])
})
