import { afterEach, expect, test } from 'bun:test'
import { duePresets, snoozePresets } from '../../src/web/kit/date-presets.ts'
import { dueText } from '../../src/web/kit/dates.ts'
import { parseWhen } from '../../src/web/kit/parse-when.ts'
import { dayOf, momentOf, setTimeZone, timeOf } from '../../src/web/kit/zone.ts'

/** Late on Thursday in Los Angeles, Friday afternoon in Tokyo. */
const NOW = new Date('2026-11-20T05:30:00Z')
const WEST = 'America/Los_Angeles'
const EAST = 'Asia/Tokyo'

afterEach(() => setTimeZone(undefined))

test('today is the day in the user’s time zone, in words, in presets and when parsed', () => {
  for (const [zone, today, time] of [
    [WEST, '2026-11-19', '21:30'],
    [EAST, '2026-11-20', '14:30'],
  ] as const) {
    setTimeZone(zone)
    expect([dayOf(NOW), timeOf(NOW)]).toEqual([today, time])
    expect(duePresets(NOW)[0]?.value).toBe(today)
    expect(parseWhen('today', dayOf(NOW))?.day).toBe(today)
    expect(dueText(today, NOW).short).toBe('Today')
  }
  expect(dueText('2026-11-19', NOW).short).toBe('Yesterday')
})

test('moments are shown and created in the same time zone', () => {
  setTimeZone(WEST)
  expect(momentOf('2026-11-19', '22:00')).toBe('2026-11-20T06:00:00.000Z')
  expect(dueText('2026-11-20T06:00:00Z', NOW).short).toMatch(/^Today (22:00|10:00 PM)$/)
  expect(snoozePresets(NOW).map(({ name }) => name)).toEqual(['Tomorrow', 'Next week'])
  setTimeZone(EAST)
  expect(dueText('2026-11-20T06:00:00Z', NOW).short).toMatch(/^Today (15:00|3:00 PM)$/)
  expect(snoozePresets(NOW)[0]?.value).toBe('2026-11-20T08:00:00.000Z')
})

test('days with a daylight saving change have correct moments', () => {
  setTimeZone('Europe/Berlin')
  for (const day of ['2026-03-28', '2026-03-29', '2026-03-30', '2026-10-25', '2026-10-26'])
    for (const time of ['00:00', '01:30', '09:00', '23:59']) {
      const moment = new Date(momentOf(day, time))
      expect([dayOf(moment), timeOf(moment)]).toEqual([day, time])
    }
})
