import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { repeatOf } from '../../src/features/calendar/rules.ts'
import { nextDates, type Series } from '../../src/features/tasks/repeat/rules.ts'
import { upcomingDates } from '../../src/features/tasks/repeat/upcoming.ts'
import { RECURRENCES, type Recurrence } from '../../src/features/tasks/rules.ts'
import { Document } from '../../src/surfaces/calendar/document.ts'
import { datesOf, parsed } from '../calendars.ts'
import { scaled } from '../extent.ts'

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'America/Santiago',
  'Africa/Cairo',
  'UTC',
]

interface Given {
  rule: Recurrence
  due: string
  from?: string | null
  zone?: string
  now?: string
}

const seriesOf = ({ rule, due, from = null, zone = 'Europe/Berlin', now }: Given): Series => ({
  ...{ rule, due, from, zone, start: null },
  now: new Date(now ?? (due.length > 10 ? due : `${due}T00:00:00Z`)),
})

/** Returns the due date and the next ones by the repeat rules, each completed in time. */
function made(series: Series, many: number): string[] {
  const dates = [series.due!]
  let { due, from, now } = series
  while (dates.length < many) {
    const next = nextDates({ ...series, due, from, now })!
    due = next.due_date!
    from = next.repeats_from
    dates.push(due)
    now = new Date(due.length > 10 ? due : `${due}T12:00:00Z`)
  }
  return dates
}

function text(series: Series): string {
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
const onWall = ({ zone }: Series, dates: readonly string[]) =>
  dates.map((date) =>
    date.length > 10
      ? Temporal.Instant.from(date).toZonedDateTimeISO(zone).toPlainDateTime().toString()
      : date,
  )

const MANY = 30
const expanded = (series: Series) => datesOf(parsed(text(series)).events, MANY)

function same(given: Given) {
  const series = seriesOf(given)
  const dates = made(series, MANY)
  expect([given, onWall(series, expanded(series))]).toEqual([given, onWall(series, dates)])
  const coming = upcomingDates(series)
  const listed = Array.from({ length: MANY - 1 }, () => coming.next().value)
  expect([given, listed]).toEqual([given, dates.slice(1)])
}

test('every rule in every time zone expands to the same dates as completing the task', () => {
  for (const rule of RECURRENCES)
    for (const zone of ZONES) {
      same({ rule, zone, due: '2026-11-20' })
      same({ rule, zone, due: '2026-11-21' })
      for (const time of ['05:30', '23:59', '13:00', '00:30'])
        same({ rule, zone, due: new Date(`2026-10-20T${time}:00Z`).toISOString() })
    }
})

test('month ends and 29 February expand to the same dates as completing the task', () => {
  const dates = ['2027-01-31', '2027-01-30', '2027-01-29', '2027-01-28', '2028-02-29', '2026-12-31']
  for (const due of dates) {
    same({ rule: 'Monthly', due })
    for (const zone of ZONES) same({ rule: 'Monthly', zone, due: `${due}T12:00:00.000Z` })
  }
  same({ rule: 'Monthly', due: '2027-02-28', from: '2027-01-31' })
  same({ rule: 'Monthly', due: '2027-02-28', from: '2027-01-29' })
  const from = '2027-01-31T09:00:00[Europe/Berlin]'
  same({ rule: 'Monthly', due: '2027-02-28T08:00:00.000Z', from })
  same({ rule: 'Monthly', due: '2027-02-28T08:00:00.000Z', from, zone: 'America/New_York' })
})

test('a local time skipped by a clock change moves one hour later on that day only', () => {
  const zone = 'Europe/Berlin'
  const series = seriesOf({ rule: 'Daily', zone, due: '2027-03-26T01:30:00.000Z' })
  expect(expanded(series).slice(0, 4)).toEqual([
    ...['2027-03-26T01:30:00.000Z', '2027-03-27T01:30:00.000Z'],
    ...['2027-03-28T01:30:00.000Z', '2027-03-29T00:30:00.000Z'],
  ])
  expect(text(series)).toContain('EXDATE;TZID=Europe/Berlin:20270328T023000')
  expect(text(series)).toContain('RDATE;TZID=Europe/Berlin:20270328T033000')
  for (const rule of RECURRENCES)
    for (const due of ['2027-03-27T01:30:00.000Z', '2027-03-28T01:30:00.000Z']) {
      same({ rule, zone, due })
      same({ rule, zone, due, from: due.replace('T01:30:00.000Z', 'T02:30:00[Europe/Berlin]') })
    }
  same({ rule: 'Daily', zone: 'Africa/Cairo', due: '2027-04-28T22:30:00.000Z' })
  same({ rule: 'Daily', zone: 'Australia/Lord_Howe', due: '2026-10-02T15:45:00.000Z' })
  same({ rule: 'Daily', zone: 'America/New_York', due: '2026-10-31T05:30:00.000Z' })
})

test('missed occurrences in the past are omitted from the calendar', () => {
  const now = '2026-11-20T12:00:00.000Z'
  for (const rule of RECURRENCES) {
    same({ rule, now, due: '2026-08-31' })
    same({ rule, now, due: '2026-11-19' })
    same({ rule, now, due: '2020-02-29T10:00:00.000Z' })
  }
  const [own, next] = parsed(text(seriesOf({ rule: 'Daily', now, due: '2026-11-10' }))).events
  expect([own!.startDate.toString(), next!.startDate.toString()]).toEqual([
    '2026-11-10',
    '2026-11-21',
  ])
  expect(own!.uid).not.toBe(next!.uid)
})

test('for random series, an iCalendar parser expands the same dates as the repeat rules', () => {
  const minutes = fc.integer({ min: 0, max: 6 * 366 * 24 * 60 })
  const since = Date.parse('2024-01-01T00:00:00Z')
  const moment = minutes.map((n) => new Date(since + n * 60_000).toISOString())
  const given = fc.record({
    rule: fc.constantFrom(...RECURRENCES),
    zone: fc.constantFrom(...ZONES),
    due: fc.oneof(
      moment,
      moment.map((one) => one.slice(0, 10)),
    ),
    later: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
    steps: fc.integer({ min: 0, max: 4 }),
  })
  const numRuns = scaled(120, 3000)
  fc.assert(
    fc.property(given, ({ later, steps, ...first }) => {
      const series = seriesOf(first)
      let { due, from, now } = series
      for (let n = 0; n < steps; n++) {
        const next = nextDates({ ...series, due, from, now })!
        due = next.due_date!
        from = next.repeats_from
        now = new Date(due.length > 10 ? due : `${due}T00:00:00Z`)
      }
      const missed = new Date(now.getTime() + (later ?? 0) * 86_400_000).toISOString()
      same({ ...first, due: due!, from, now: missed })
    }),
    { numRuns },
  )
})
