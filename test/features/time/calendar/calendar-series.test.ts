import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { tasks } from '../../../../src/features/tasks/tasks/model/tables.ts'
import { dueAt, isDay } from '../../../../src/features/time/dates/model/rules.ts'
import {
  occurrencesBetween,
  ZoneDays,
} from '../../../../src/features/time/repeats/model/between.ts'
import { upcomingDates } from '../../../../src/features/time/repeats/model/upcoming.ts'
import { dayNumber } from '../../../../src/kernel/recurrence/days.ts'
import { faultOf } from '../../../support/faults.ts'
import { endedRules } from '../../../support/repeat-rules.ts'
import { scaleCount } from '../../../support/scale.ts'
import { NOON, type World, world } from '../../../support/world.ts'

const ZONES = ['Europe/Berlin', 'Australia/Lord_Howe', 'America/Santiago', 'Africa/Cairo']
const EXTREME_ZONES = ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC']

interface SeriesCase {
  rule: string
  zone: string
  /** The time zone of the caller. */
  local: string
  due: string
  from: string | null
  nowDay: number
  fromDay: number
  days: number
}

const DAY_MS = 24 * 60 * 60 * 1000
const dayIn = (n: number) => new Date(n * DAY_MS).toISOString().slice(0, 10)

/** Finds the occurrences in two ways: one by one with the repeat rules, and by counting. */
function occurrencesInTwoWays({
  rule,
  zone,
  local: callerZone,
  due,
  from,
  nowDay,
  fromDay,
  days,
}: SeriesCase) {
  const now = new Date(nowDay * DAY_MS + 43_200_000)
  const [first, last] = [dayIn(fromDay), dayIn(fromDay + days)]
  const startAt = Temporal.PlainDate.from(first).toZonedDateTime(callerZone).epochMilliseconds
  const endAt = dueAt(last, callerZone).getTime()
  const series = { ...{ rule, due, from, zone, now }, start: null }
  const expected: { date: string; at: number }[] = []
  for (const date of upcomingDates(series)) {
    const at = dueAt(date, zone).getTime()
    if (at > endAt + 3 * DAY_MS) break
    const isInRange = isDay(date) ? date >= first && date <= last : at >= startAt && at <= endAt
    if (isInRange) expected.push({ date, at })
  }
  const between = { first: dayNumber(first), last: dayNumber(last), begins: startAt, ends: endAt }
  const { count, since } = occurrencesBetween(series, new ZoneDays(zone, now), between)
  const middle = expected[Math.floor(expected.length / 2)]
  const later = [...since(Math.floor((middle?.at ?? 0) / DAY_MS) - 1)]
  return { wanted: expected, listed: [...since()], many: count, middle, later }
}

test('counted occurrences equal those of the repeat rules in every time zone', () => {
  const start = dayNumber('2026-01-01')
  const zone = fc.constantFrom(...ZONES, ...EXTREME_ZONES)
  const halfHours = fc.integer({ min: 0, max: 48 * 500 })
  const moment = halfHours.map((n) => new Date(start * DAY_MS + n * 1_800_000).toISOString())
  const day = fc.integer({ min: 0, max: 500 }).map((n) => dayIn(start + n))
  const seriesCase: fc.Arbitrary<SeriesCase> = fc.record({
    rule: endedRules,
    ...{ zone, local: zone },
    due: fc.oneof(moment, day),
    from: fc.option(
      fc.oneof(fc.constant('2026-01-31'), fc.constant('2025-12-29T02:30:00[Europe/Berlin]')),
    ),
    nowDay: fc.integer({ min: start, max: start + 500 }),
    fromDay: fc.integer({ min: start - 100, max: start + 700 }),
    days: fc.integer({ min: 0, max: 120 }),
  })
  const numRuns = scaleCount(600, 20_000)
  fc.assert(
    fc.property(seriesCase, (one) => {
      const { wanted: expected, listed, many, middle, later } = occurrencesInTwoWays(one)
      expect(listed).toEqual(expected)
      expect(many).toBe(expected.length)
      const fromMiddle = (all: typeof expected) => all.filter(({ at }) => at >= (middle?.at ?? 0))
      expect(fromMiddle(later)).toEqual(fromMiddle(expected))
    }),
    { numRuns },
  )
})

/** Inserts that many daily repeating tasks into one board. */
async function insertSeries({ store, tasks: { logo } }: World, count: number, overrides: object) {
  const isLogo = eq(tasks.task_id, logo.task_id)
  const [model] = await store.read((tx) => tx.select().from(tasks).where(isLogo))
  const { task_id: _, ...row } = model!
  const rows = Array.from({ length: count }, (_, n) => {
    const due = new Date(NOON.getTime() + n * 60_000)
    return {
      ...row,
      ...{ unique_index: 1000 + n, ticket_number: `HP-${1000 + n}`, recurrence: 'Daily' as const },
      ...{ due_date: due.toISOString(), due_at: due, ...overrides },
    }
  })
  for (let at = 0; at < count; at += 500)
    await store.write((tx) => tx.insert(tasks).values(rows.slice(at, at + 500)))
}

/**
 * Measures for how long the job blocks the event loop at most, in CPU time: other processes do not
 * change that.
 */
async function longestBlock<T>(run: () => Promise<T>) {
  const cpuTime = () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  let [before, longest] = [cpuTime(), 0]
  const measure = () => {
    const current = cpuTime()
    longest = Math.max(longest, current - before)
    before = current
    timer = setImmediate(measure)
  }
  let timer = setImmediate(measure)
  const value = await run()
  clearImmediate(timer)
  return { value, longest }
}

for (const [dueKind, dates] of [
  ['moments', {}],
  ['days', { due_date: '2026-11-20', due_at: new Date('2026-11-20T22:59:59.999Z') }],
] as const)
  test(`a month with five thousand series of ${dueKind} does not block the event loop`, async () => {
    const w = await world()
    await insertSeries(w, 5000, dates)
    const listMonth = (overrides = {}) =>
      w.cleo['calendar.list']({ from: '2027-01-01', to: '2027-01-31', limit: 50, ...overrides })
    const { items, page } = await listMonth()
    expect(page).toMatchObject({ total: null, total_at_least: 10_000, has_more: true })
    const cursor = page.next_cursor!
    const first = new Set(items.map(({ task_id, date }) => `${task_id} ${date}`))
    const times = []
    for (let n = 0; n < 6; n++)
      times.push(await longestBlock(() => listMonth({ cursor, limit: 50 - n })))
    for (const { task_id, date } of times[0]!.value.items)
      expect(first.has(`${task_id} ${date}`)).toBe(false)
    expect(Math.min(...times.map(({ longest }) => longest))).toBeLessThan(40)
  })

test('more than 10,000 series in a range are refused with a hint to narrow the request', async () => {
  const w = await world()
  await insertSeries(w, 10_001, {})
  const range = { from: '2026-12-01', to: '2026-12-31' }
  const { details, hint } = await faultOf(w.cleo['calendar.list'](range))
  expect([details.field, details.code]).toEqual(['project_ids', 'out_of_range'])
  expect(hint).toContain('assigned_to')
  const earlier = await w.cleo['calendar.list']({ from: '2026-11-01', to: '2026-11-18' })
  expect(earlier.items).toEqual([])
  const { items } = await w.ben['calendar.list']({ ...range, assigned_to: 'me' })
  expect(items).toEqual([])
})
