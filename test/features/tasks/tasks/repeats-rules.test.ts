import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { RRuleTemporal } from 'rrule-temporal'
import { nextDates, type Series } from '../../../../src/features/time/repeats/model/rules.ts'
import { CADENCES, type Cadence } from '../../../../src/kernel/recurrence/rule.ts'
import { scaleCount } from '../../../support/scale.ts'
import { startCpuTimer } from '../../../support/time.ts'

const series = (
  options: Partial<Omit<Series, 'now' | 'start'>> & { now: string; start?: string },
) =>
  nextDates({
    ...{ rule: 'Monthly', due: null, from: null, zone: 'Europe/Berlin', ...options },
    start: options.start === undefined ? null : new Date(options.start),
    now: new Date(options.now),
  })

/** Returns the due dates of a series whose occurrences are completed soon after they are due. */
function chain(rule: Cadence, first: string, times: number, zone = 'Europe/Berlin') {
  const dates = [first]
  let [due, from]: (string | null)[] = [first, null]
  for (let n = 0; n < times; n++) {
    const next = series({
      rule,
      due,
      from,
      zone,
      now: due!.length > 10 ? due! : `${due}T12:00:00Z`,
    })
    dates.push(next!.due_date!)
    due = next!.due_date
    from = next!.repeats_from
  }
  return dates
}

const HOUR = 3_600_000
const NAMES = Object.keys(CADENCES) as Cadence[]
const RULES: Record<Cadence, string> = {
  Daily: 'FREQ=DAILY',
  Weekdays: 'FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR',
  Weekly: 'FREQ=WEEKLY',
  Biweekly: 'FREQ=WEEKLY;INTERVAL=2',
  Monthly: 'FREQ=MONTHLY',
}

/** Restricts a monthly rule to the given day, or to the last day of a month that is shorter. */
const clamped = (day: number) =>
  `;BYMONTHDAY=${[28, 29, 30, 31].filter((one) => one <= day).join()};BYSETPOS=-1`

/**
 * Returns the next date by a library of calendar rules, always from the start of the series. The
 * library gets wall clock times as UTC: by RFC 5545 it would omit times that a clock change skips.
 */
function expected(rule: Cadence, anchor: Temporal.ZonedDateTime, after: Temporal.Instant) {
  const isLate = rule === 'Monthly' && anchor.day > 28
  const wall = new RRuleTemporal({
    rruleString: RULES[rule] + (isLate ? clamped(anchor.day) : ''),
    dtstart: anchor.toPlainDateTime().toZonedDateTime('UTC'),
  })
  const zone = anchor.timeZoneId
  let read = after.toZonedDateTimeISO(zone).toPlainDateTime().toZonedDateTime('UTC')
  for (read = read.subtract({ hours: 30 }); ; ) {
    read = wall.next(new Date(read.epochMilliseconds), false)!
    const found = instantOf(read.epochMilliseconds, zone)
    if (found > after.epochMilliseconds)
      return Temporal.Instant.fromEpochMilliseconds(found).toZonedDateTimeISO(zone)
  }
}

/** Returns the first instant of a wall clock time; a skipped one uses the offset before the gap. */
function instantOf(wall: number, zone: string): number {
  const offset = (at: number) =>
    Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6
  const [before, after] = [wall - offset(wall - 24 * HOUR), wall - offset(wall + 24 * HOUR)]
  const isShown = (at: number) => at + offset(at) === wall
  return [before, after].find(isShown) ?? before
}

const ZONES = [
  ...['UTC', 'Europe/Berlin', 'Europe/London', 'America/New_York', 'America/Los_Angeles'],
  ...['America/St_Johns', 'America/Santiago', 'Asia/Kolkata', 'Asia/Kathmandu', 'Asia/Tokyo'],
  ...['Australia/Lord_Howe', 'Pacific/Auckland', 'Pacific/Chatham', 'Africa/Cairo'],
]
const between = (min: number, max: number) => fc.integer({ min, max })
const moments = between(Date.UTC(2019, 11, 25) / 60_000, Date.UTC(2029, 1, 5) / 60_000)
const cases = fc.record({
  rule: fc.constantFrom(...NAMES),
  zone: fc.constantFrom(...ZONES),
  minute: moments,
  night: fc.boolean(),
  isDay: fc.boolean(),
  /** Hours from a due date to its completion, for three occurrences. Negative hours are early. */
  waits: fc.array(fc.oneof(between(-100, 0), between(0, 100), between(0, 9000)), {
    minLength: 3,
    maxLength: 3,
  }),
})
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never

/** Returns the first date of a case. Half of the times are at night, when clocks change. */
function anchorOf({ minute, zone, night, isDay }: Case): Temporal.ZonedDateTime {
  const at = Temporal.Instant.fromEpochMilliseconds(minute * 60_000).toZonedDateTimeISO(zone)
  if (isDay) return at.toPlainDate().toZonedDateTime('UTC')
  return night ? at.with({ hour: at.hour % 4 }) : at
}

test('the dates of random series match a library of calendar rules', () => {
  let compared = 0
  const check = (seriesCase: Case) => {
    const { rule, zone, isDay, waits: delays } = seriesCase
    const anchor = anchorOf(seriesCase)
    const written = (at: Temporal.ZonedDateTime) =>
      isDay ? at.toPlainDate().toString() : new Date(at.epochMilliseconds).toISOString()
    let [due, from, at] = [written(anchor), null as string | null, anchor]
    for (const wait of delays) {
      const now = at.toInstant().add({ milliseconds: wait * HOUR + 1 })
      const today = now.toZonedDateTimeISO(zone).toPlainDate().toZonedDateTime('UTC')
      const reached = isDay ? today.toInstant() : now
      const old = at.toInstant()
      at = expected(rule, anchor, Temporal.Instant.compare(reached, old) > 0 ? reached : old)
      const next = series({ rule, due, from, zone, now: now.toString() })
      expect({ ...seriesCase, due, from, next: next?.due_date }).toEqual({
        ...seriesCase,
        due,
        from,
        next: written(at),
      })
      due = written(at)
      from = next!.repeats_from
      compared++
    }
  }
  const numRuns = scaleCount(1000, 20_000)
  fc.assert(fc.property(cases, check), { numRuns })
  expect(compared).toBe(numRuns * 3)
}, 600_000)

test('a monthly task keeps its day of the month through shorter months', () => {
  expect(chain('Monthly', '2026-01-31', 4)).toEqual([
    ...['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31'],
  ])
  expect(series({ due: '2026-01-31', now: '2026-01-31T12:00:00Z' })).toEqual({
    ...{ due_date: '2026-02-28', start_date: null, starts_from: null },
    repeats_from: '2026-01-31',
  })
  const march = { due: '2026-02-28', from: '2026-01-31', now: '2026-02-28T12:00:00Z' }
  expect(series(march)).toMatchObject({ due_date: '2026-03-31', repeats_from: null })
})

test('monthly and daily tasks are due on 29 February in leap years only', () => {
  expect(chain('Monthly', '2028-01-30', 2)).toEqual(['2028-01-30', '2028-02-29', '2028-03-30'])
  expect(chain('Daily', '2028-02-28', 2)).toEqual(['2028-02-28', '2028-02-29', '2028-03-01'])
  expect(chain('Daily', '2100-02-28', 1)).toEqual(['2100-02-28', '2100-03-01'])
})

test('a due time skipped by a clock change is an hour later once', () => {
  const dates = chain('Daily', '2026-03-28T01:30:00.000Z', 2)
  expect(dates.slice(1)).toEqual(['2026-03-29T01:30:00.000Z', '2026-03-30T00:30:00.000Z'])
  const gap = series({ rule: 'Daily', due: dates[0]!, now: dates[0]! })
  expect(gap?.repeats_from).toBe('2026-03-28T02:30:00[Europe/Berlin]')
  const shifted = {
    rule: 'Daily',
    due: dates[1]!,
    from: gap!.repeats_from,
    now: dates[1]!,
  } as const
  expect(series(shifted)?.repeats_from).toBeNull()
})

test('the local time of day is kept when clocks change', () => {
  const weekly = ['2026-10-20T07:00:00.000Z', '2026-10-27T08:00:00.000Z']
  expect(chain('Weekly', weekly[0]!, 1)).toEqual(weekly)
})

test('a weekly task completed late keeps its weekday and time, and is due in the future', () => {
  const overdue = { rule: 'Weekly', due: '2026-01-06T08:00:00.000Z' } as const
  const due = (now: string) => series({ ...overdue, now })?.due_date
  expect(due('2026-02-10T07:59:59.999Z')).toBe('2026-02-10T08:00:00.000Z')
  expect(due('2026-02-10T08:00:00.000Z')).toBe('2026-02-17T08:00:00.000Z')
  const day = { rule: 'Biweekly', due: '2026-01-06', now: '2026-02-03T12:00:00Z' } as const
  expect(series(day)?.due_date).toBe('2026-02-17')
})

test('a task on weekdays moves from Friday to Monday, and from Saturday to Monday', () => {
  expect(chain('Weekdays', '2026-01-08', 2)).toEqual(['2026-01-08', '2026-01-09', '2026-01-12'])
  expect(chain('Weekdays', '2026-01-10', 1)).toEqual(['2026-01-10', '2026-01-12'])
  expect(chain('Weekdays', '2026-01-09T08:00:00.000Z', 1)[1]).toBe('2026-01-12T08:00:00.000Z')
})

test('a task completed early continues from its due date, not from the current time', () => {
  const upcoming = { due: '2027-06-15', now: '2026-01-01T00:00:00Z' }
  expect(series(upcoming)?.due_date).toBe('2027-07-15')
  expect(series({ ...upcoming, rule: 'Daily' })?.due_date).toBe('2027-06-16')
})

test('the start date moves by as many days as the due date, and keeps its local time', () => {
  const both = { rule: 'Weekly', due: '2026-03-30', start: '2026-03-27T08:15:00Z' } as const
  expect(series({ ...both, now: '2026-03-28T12:00:00Z' })).toEqual({
    due_date: '2026-04-06',
    start_date: new Date('2026-04-03T07:15:00Z'),
    ...{ repeats_from: null, starts_from: null },
  })
  const skipped = series({ ...both, now: '2026-04-14T12:00:00Z' })
  expect(skipped).toMatchObject({
    due_date: '2026-04-20',
    start_date: new Date('2026-04-17T07:15:00Z'),
  })
})

test('a start at the beginning of a day that begins at 01:00 moves to the beginning of a day', () => {
  const cairo = { rule: 'Weekly', due: '2026-04-24', zone: 'Africa/Cairo' } as const
  const next = series({ ...cairo, start: '2026-04-23T22:00:00Z', now: '2026-04-24T12:00:00Z' })
  expect(next?.start_date?.toISOString()).toBe('2026-04-30T21:00:00.000Z')
})

test('a start date alone continues from the completion day, and adds no due date', () => {
  const start = { rule: 'Weekly', start: '2026-01-02T08:15:00Z' } as const
  expect(series({ ...start, now: '2026-01-07T23:30:00Z' })).toEqual({
    due_date: null,
    start_date: new Date('2026-01-15T08:15:00Z'),
    ...{ repeats_from: null, starts_from: null },
  })
})

test('the next start comes after the completion day and after a start in the future', () => {
  const start = { rule: 'Weekly', start: '2026-12-10T08:15:00Z' } as const
  const next = (now: string) => series({ ...start, now })?.start_date?.toISOString()
  expect(next('2026-11-20T12:00:00Z')).toBe('2026-12-17T08:15:00.000Z')
  expect(next('2026-12-10T06:00:00Z')).toBe('2026-12-17T08:15:00.000Z')
  expect(next('2026-12-12T06:00:00Z')).toBe('2026-12-19T08:15:00.000Z')
})

test('a start time skipped by a clock change is an hour later once, then back at its own time', () => {
  for (const due of ['2026-03-28', null]) {
    const daily = { rule: 'Daily', zone: 'Europe/Berlin' } as const
    const first = { ...daily, due, start: '2026-03-28T01:30:00Z', now: '2026-03-28T12:00:00Z' }
    const gap = series(first)!
    expect(gap.start_date?.toISOString()).toBe('2026-03-29T01:30:00.000Z')
    expect(gap.starts_from).toBe('2026-03-29T02:30:00[Europe/Berlin]')
    const second = { ...daily, due: gap.due_date, start: gap.start_date!.toISOString() }
    const afterGap = { ...second, localStart: gap.starts_from, now: '2026-03-29T12:00:00Z' }
    expect(series(afterGap)).toMatchObject({
      start_date: new Date('2026-03-30T00:30:00Z'),
      starts_from: null,
    })
    const west = series({ ...afterGap, zone: 'America/New_York' })
    expect(west?.start_date?.toISOString()).toMatch(/T01:30:00.000Z$/)
  }
})

test('a start keeps its local time of day through clock changes in random zones', () => {
  const check = (zone: string, hour: number, day: number) => {
    const first = Temporal.PlainDate.from('2026-01-01')
      .add({ days: day })
      .toZonedDateTime({ timeZone: zone, plainTime: { hour, minute: 30 } })
    const wall = first.toPlainTime()
    let [start, intended] = [new Date(first.epochMilliseconds), null as string | null]
    for (let n = 0; n < 40; n++) {
      const next = nextDates({
        ...{ rule: 'Weekly', due: null, from: null, zone, start, localStart: intended, now: start },
      })!
      ;[start, intended] = [next.start_date!, next.starts_from]
      const at = Temporal.Instant.fromEpochMilliseconds(start.getTime()).toZonedDateTimeISO(zone)
      const localTime = intended
        ? Temporal.PlainDateTime.from(intended).toPlainTime()
        : at.toPlainTime()
      expect([zone, String(at), localTime.toString()]).toEqual([zone, String(at), wall.toString()])
    }
  }
  const numRuns = scaleCount(100, 2000)
  fc.assert(fc.property(fc.constantFrom(...ZONES), between(0, 5), between(0, 400), check), {
    numRuns,
  })
})

test('a task without dates is due one period after its completion day in the zone', () => {
  const now = '2026-01-30T23:30:00Z'
  expect(series({ now })).toEqual({
    ...{ due_date: '2026-02-28', start_date: null, starts_from: null },
    repeats_from: '2026-01-31',
  })
  expect(series({ now, zone: 'UTC', rule: 'Daily' })?.due_date).toBe('2026-01-31')
})

test('a task does not repeat beyond the year 9999', () => {
  const now = '2026-01-01T00:00:00Z'
  expect(series({ due: '9999-11-30', now })?.due_date).toBe('9999-12-30')
  expect(series({ due: '9999-12-31', now })).toBeUndefined()
  expect(series({ due: '9999-12-31T23:59:59.999Z', rule: 'Daily', now })).toBeUndefined()
  const start = '9999-12-31T08:00:00Z'
  expect(series({ due: '2026-01-31', start, now })).toBeUndefined()
  expect(series({ start: '0001-01-01T00:00:00Z', now: '9999-12-31T08:00:00Z' })).toBeUndefined()
})

test('the next date of a task due in the year 1 is found in the near future with little work', () => {
  const elapsedCpu = startCpuTimer()
  for (const rule of NAMES) {
    const due = series({ rule, due: '0001-01-31', now: '2026-06-29T12:00:00Z' })?.due_date
    expect(due! > '2026-06-29' && due! < '2026-07-14').toBe(true)
  }
  expect(elapsedCpu()).toBeLessThan(500)
})

test('in another time zone a series continues from the same moment, at its local time there', () => {
  const due = '2026-01-16T01:00:00.000Z'
  const abroad = { rule: 'Daily', due, zone: 'America/New_York', now: due } as const
  expect(series(abroad)?.due_date).toBe('2026-01-17T01:00:00.000Z')
  const weekday = { ...abroad, rule: 'Weekdays' } as const
  expect(series(weekday)?.due_date).toBe('2026-01-17T01:00:00.000Z')
  expect(series({ ...weekday, zone: 'UTC' })?.due_date).toBe('2026-01-19T01:00:00.000Z')
})

test('a change of time zone in a shorter month skips no month and repeats none', () => {
  const result = series({
    ...{ due: '2026-02-28T01:30:00.000Z', from: '2026-01-31T02:30:00[Europe/Berlin]' },
    ...{ zone: 'America/New_York', now: '2026-02-28T12:00:00Z' },
  })
  expect(result?.due_date).toBe('2026-03-31T00:30:00.000Z')
  expect(result?.repeats_from).toBeNull()
})
