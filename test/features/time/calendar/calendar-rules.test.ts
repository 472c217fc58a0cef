import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { repeatOf } from '../../../../src/features/time/calendar/model/rules.ts'
import {
  nextDates,
  nextRule,
  type Series,
} from '../../../../src/features/time/repeats/model/rules.ts'
import { upcomingDates } from '../../../../src/features/time/repeats/model/upcoming.ts'
import { CADENCES } from '../../../../src/kernel/recurrence/rule.ts'
import { Document } from '../../../../src/surfaces/calendar/document.ts'
import { eventDates, parseCalendar } from '../../../support/calendars.ts'
import { endedRules } from '../../../support/repeat-rules.ts'
import { scaleCount } from '../../../support/scale.ts'

const NAMES = Object.keys(CADENCES)
const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'America/Santiago',
  'Africa/Cairo',
  'UTC',
]

interface SeriesCase {
  rule: string
  due: string
  from?: string | null
  zone?: string
  now?: string
}

const seriesOf = ({ rule, due, from = null, zone = 'Europe/Berlin', now }: SeriesCase): Series => ({
  ...{ rule, due, from, zone, start: null },
  now: new Date(now ?? (due.length > 10 ? due : `${due}T00:00:00Z`)),
})

/** Returns the due date and the next ones by the repeat rules, each completed in time. */
function datesByRules(series: Series, count: number): string[] {
  const dates = [series.due!]
  let { rule, due, from, now } = series
  while (dates.length < count) {
    const next = nextDates({ ...series, rule, due, from, now })
    if (!next) break
    rule = nextRule(rule)
    due = next.due_date!
    from = next.repeats_from
    dates.push(due)
    now = new Date(due.length > 10 ? due : `${due}T12:00:00Z`)
  }
  return dates
}

function calendarText(series: Series): string {
  const document = new Document({ title: 'Test', host: 'localhost', version: '1' })
  document.add({
    ...{ task_id: 1, ticket_number: 'T-1', title: 'Task', text: '', url: 'http://localhost/t/T-1' },
    ...{ labels: [], priority: 0, updated_at: '2026-11-20T12:00:00.000Z', due_date: series.due! },
    repeat: repeatOf(series),
  })
  return document.text()
}

/**
 * Returns the dates as local times. Of an hour that a clock change repeats, RFC 5545 and the repeat
 * rules mean the first, but ical.js takes the second. Local times hide only this difference.
 */
const asLocalTimes = ({ zone }: Series, dates: readonly string[]) =>
  dates.map((date) =>
    date.length > 10
      ? Temporal.Instant.from(date).toZonedDateTimeISO(zone).toPlainDateTime().toString()
      : date,
  )

const DATE_COUNT = 30
/** A feed lists the clock changes of ten years. */
const lastDate = ({ now }: Series) => `${now.getUTCFullYear() + 9}`
const expanded = (series: Series) =>
  eventDates(parseCalendar(calendarText(series)).events, DATE_COUNT)

function expectSameDates(seriesCase: SeriesCase) {
  const series = seriesOf(seriesCase)
  const dates = datesByRules(series, DATE_COUNT)
  const local = (list: readonly string[]) =>
    asLocalTimes(series, list).filter((date) => date < lastDate(series))
  expect([seriesCase, local(expanded(series))]).toEqual([seriesCase, local(dates)])
  const upcoming = upcomingDates(series)
  const listed = upcoming.take(DATE_COUNT - 1).toArray()
  expect([seriesCase, listed]).toEqual([seriesCase, dates.slice(1)])
}

test('every rule in every time zone expands to the same dates as completing the task', () => {
  for (const rule of NAMES)
    for (const zone of ZONES) {
      expectSameDates({ rule, zone, due: '2026-11-20' })
      expectSameDates({ rule, zone, due: '2026-11-21' })
      for (const time of ['05:30', '23:59', '13:00', '00:30'])
        expectSameDates({ rule, zone, due: new Date(`2026-10-20T${time}:00Z`).toISOString() })
    }
})

test('month ends and 29 February expand to the same dates as completing the task', () => {
  const dates = ['2027-01-31', '2027-01-30', '2027-01-29', '2027-01-28', '2028-02-29', '2026-12-31']
  for (const due of dates) {
    expectSameDates({ rule: 'Monthly', due })
    for (const zone of ZONES)
      expectSameDates({ rule: 'Monthly', zone, due: `${due}T12:00:00.000Z` })
  }
  expectSameDates({ rule: 'Monthly', due: '2027-02-28', from: '2027-01-31' })
  expectSameDates({ rule: 'Monthly', due: '2027-02-28', from: '2027-01-29' })
  const from = '2027-01-31T09:00:00[Europe/Berlin]'
  expectSameDates({ rule: 'Monthly', due: '2027-02-28T08:00:00.000Z', from })
  expectSameDates({
    rule: 'Monthly',
    due: '2027-02-28T08:00:00.000Z',
    from,
    zone: 'America/New_York',
  })
})

test('a local time skipped by a clock change moves one hour later on that day only', () => {
  const zone = 'Europe/Berlin'
  const series = seriesOf({ rule: 'Daily', zone, due: '2027-03-26T01:30:00.000Z' })
  expect(expanded(series).slice(0, 4)).toEqual([
    ...['2027-03-26T01:30:00.000Z', '2027-03-27T01:30:00.000Z'],
    ...['2027-03-28T01:30:00.000Z', '2027-03-29T00:30:00.000Z'],
  ])
  expect(calendarText(series)).toContain('EXDATE;TZID=Europe/Berlin:20270328T023000')
  expect(calendarText(series)).toContain('RDATE;TZID=Europe/Berlin:20270328T033000')
  for (const rule of NAMES)
    for (const due of ['2027-03-27T01:30:00.000Z', '2027-03-28T01:30:00.000Z']) {
      expectSameDates({ rule, zone, due })
      expectSameDates({
        rule,
        zone,
        due,
        from: due.replace('T01:30:00.000Z', 'T02:30:00[Europe/Berlin]'),
      })
    }
  expectSameDates({ rule: 'Daily', zone: 'Africa/Cairo', due: '2027-04-28T22:30:00.000Z' })
  expectSameDates({ rule: 'Daily', zone: 'Australia/Lord_Howe', due: '2026-10-02T15:45:00.000Z' })
  expectSameDates({ rule: 'Daily', zone: 'America/New_York', due: '2026-10-31T05:30:00.000Z' })
})

test('missed occurrences in the past are omitted from the calendar', () => {
  const now = '2026-11-20T12:00:00.000Z'
  for (const rule of NAMES) {
    expectSameDates({ rule, now, due: '2026-08-31' })
    expectSameDates({ rule, now, due: '2026-11-19' })
    expectSameDates({ rule, now, due: '2020-02-29T10:00:00.000Z' })
  }
  const [first, next] = parseCalendar(
    calendarText(seriesOf({ rule: 'Daily', now, due: '2026-11-10' })),
  ).events
  expect([first!.startDate.toString(), next!.startDate.toString()]).toEqual([
    '2026-11-10',
    '2026-11-21',
  ])
  expect(first!.uid).not.toBe(next!.uid)
})

test('for random series, an iCalendar parser expands the same dates as the repeat rules', () => {
  const minutes = fc.integer({ min: 0, max: 6 * 366 * 24 * 60 })
  const startTime = Date.parse('2024-01-01T00:00:00Z')
  const moment = minutes.map((n) => new Date(startTime + n * 60_000).toISOString())
  const seriesCase = fc.record({
    rule: endedRules,
    zone: fc.constantFrom(...ZONES),
    due: fc.oneof(
      moment,
      moment.map((timestamp) => timestamp.slice(0, 10)),
    ),
    later: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
    steps: fc.integer({ min: 0, max: 4 }),
  })
  const numRuns = scaleCount(120, 3000)
  fc.assert(
    fc.property(seriesCase, ({ later: missedDays, steps: completions, ...first }) => {
      const series = seriesOf(first)
      let { rule, due, from, now } = series
      for (let n = 0; n < completions; n++) {
        const next = nextDates({ ...series, rule, due, from, now })
        if (!next) break
        rule = nextRule(rule)
        due = next.due_date!
        from = next.repeats_from
        now = new Date(due.length > 10 ? due : `${due}T00:00:00Z`)
      }
      const readAt = new Date(now.getTime() + (missedDays ?? 0) * 86_400_000).toISOString()
      expectSameDates({ ...first, rule, due: due!, from, now: readAt })
    }),
    { numRuns },
  )
})
