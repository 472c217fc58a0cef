import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { isOverdue } from '../../../../src/features/tasks/states/model/rules.ts'
import {
  dueAt,
  isDay,
  normalizeDate,
  startOf,
} from '../../../../src/features/time/dates/model/rules.ts'
import { world } from '../../../support/world.ts'

const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'Pacific/Apia', 'America/St_Johns')
const moments = fc.date({
  min: new Date('1970-01-01T00:00:00Z'),
  max: new Date('2100-01-01T00:00:00Z'),
  noInvalidDate: true,
})

test('a due day is stored as given, and is overdue only after it ends in its time zone', () => {
  fc.assert(
    fc.property(moments, zones, (moment, zone) => {
      const day = moment.toISOString().slice(0, 10)
      expect(normalizeDate(day, zone)).toBe(day)
      const end = dueAt(day, zone)
      const localEnd = Temporal.Instant.fromEpochMilliseconds(end.getTime()).toZonedDateTimeISO(
        zone,
      )
      const after = localEnd.add({ milliseconds: 1 })
      // A zone can skip a whole day. Such a day ends together with the day before it.
      expect(localEnd.toPlainDate().toString() <= day).toBe(true)
      expect(after.toPlainDate().toString() > day).toBe(true)
      expect(startOf(day, zone) <= new Date(end.getTime() + 1)).toBe(true)
      const overdue = { due_at: end, completed_at: null, status: 'Normal' } as const
      expect(isOverdue(overdue, end)).toBe(false)
      expect(isOverdue(overdue, new Date(end.getTime() + 1))).toBe(true)
      expect(isOverdue({ ...overdue, completed_at: end }, new Date(end.getTime() + 1))).toBe(false)
    }),
  )
})

test('a date-time with an offset is normalized to the same instant in UTC', () => {
  const offsets = fc.integer({ min: -14 * 60, max: 14 * 60 })
  fc.assert(
    fc.property(moments, offsets, zones, (moment, offset, zone) => {
      const local = new Date(moment.getTime() + offset * 60_000).toISOString().slice(0, -1)
      const size = Math.abs(offset)
      const twoDigits = (n: number) => String(n).padStart(2, '0')
      const sign = `${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`
      expect(normalizeDate(local + sign, zone)).toBe(moment.toISOString())
    }),
  )
})

test('a date-time without an offset is read in the given time zone', () => {
  expect(normalizeDate('2026-12-01T10:00', 'Europe/Berlin')).toBe('2026-12-01T09:00:00.000Z')
  expect(normalizeDate('2026-07-01 10:00:30', 'Europe/Berlin')).toBe('2026-07-01T08:00:30.000Z')
})

test('a date that does not exist or has an unsupported format is rejected', () => {
  const bad = [
    ...['', ' ', 'today', '2026', '2026-02', '2026-02-30', '2025-02-29', '2026-13-01'],
    ...['2026-00-10', '0000-01-01', '2026-1-1', '20261201', '2026-12-01T25:00:00Z', '1e9'],
    ...['2026-12-01T10:61:00Z', '2026-12-01T10', '+010000-01-01', '+275760-09-13T00:00:00Z'],
    ...['2026-12-01T10:00:00+25:00', '9999-12-31T23:59:59-01:00', '0001-01-01T00:00:00+01:00'],
    ...['2026-12-01[u-ca=hebrew]', '2026-12-01T10:00:00Z[Europe/Berlin]', '-2026-01-01'],
  ]
  for (const text of bad) expect([text, normalizeDate(text, 'UTC')]).toEqual([text, undefined])
})

test('any text is rejected or normalized to a day or UTC date-time in the years 1 to 9999', () => {
  const twoDigits = (max: number) =>
    fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'))
  const year = fc.integer({ min: 0, max: 9999 }).map((n) => String(n).padStart(4, '0'))
  const likely = fc
    .tuple(
      year,
      twoDigits(12),
      twoDigits(31),
      twoDigits(24),
      twoDigits(60),
      fc.constantFrom('', 'Z', '+14:00', '-12:00'),
    )
    .map(([y, m, d, hour, minute, zone]) => `${y}-${m}-${d}T${hour}:${minute}${zone}`)
  const unusual = fc.oneof(
    fc.string({ maxLength: 40 }),
    likely,
    likely.map((text) => text.slice(0, 10)),
    fc.constantFrom('9999-12-31', '0001-01-01', '9999-12-31T23:59:59Z'),
  )
  fc.assert(
    fc.property(unusual, zones, (text, zone) => {
      const date = normalizeDate(text, zone)
      if (date === undefined) return
      expect(date).toMatch(isDay(date) ? /^\d{4}-\d{2}-\d{2}$/ : /^\d{4}-.{18}Z$/)
      const year = dueAt(date, zone).getUTCFullYear()
      expect(year).toBeGreaterThan(0)
      expect(year).toBeLessThan(10_000)
    }),
    { numRuns: 2000 },
  )
})

test('a start date alone never makes a task overdue', async () => {
  const { ada, board, clock } = await world()
  const { task_id } = await ada['tasks.create']({
    project_id: board.project_id,
    title: 'Begun long ago',
    start_date: '2026-01-01T09:00:00Z',
  })
  clock.advance(365 * 24 * 60 * 60 * 1000)
  expect(await ada['tasks.get']({ task_id })).toMatchObject({ overdue: false, due_date: null })
})
