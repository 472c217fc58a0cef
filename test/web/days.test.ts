import { expect, test } from 'bun:test'
import { addDays, addMonths, nextWeek } from '../../src/web/kit/days.ts'
import { parseWhen } from '../../src/web/kit/parse-when.ts'
import { weeksOf } from '../../src/web/kit/weeks.ts'
import { dayOf } from '../../src/web/kit/zone.ts'

/** A Friday. */
const TODAY = '2026-11-20'

test('words such as tomorrow, next week and 3 dec are parsed as dates', () => {
  const dayIn = (text: string) => parseWhen(text, TODAY)?.day
  const expectedDays = {
    today: TODAY,
    tomorrow: '2026-11-21',
    tom: '2026-11-21',
    'next week': '2026-11-23',
    mon: '2026-11-23',
    friday: '2026-11-27',
    '+5': '2026-11-25',
    'in 2 weeks': '2026-12-04',
    'in 3 months': '2027-02-20',
    '3 dec': '2026-12-03',
    'dec 3 2027': '2027-12-03',
    '1 jan': '2027-01-01',
    '2026-12-24': '2026-12-24',
  }
  for (const [text, day] of Object.entries(expectedDays))
    expect([text, dayIn(text)]).toEqual([text, day])
})

test('a time can follow a date, and a time alone means today', () => {
  expect(parseWhen('fri 14:00', TODAY)).toEqual({ day: '2026-11-27', time: '14:00' })
  expect(parseWhen('tomorrow at 9am', TODAY)).toEqual({ day: '2026-11-21', time: '09:00' })
  expect(parseWhen('12am', TODAY)).toEqual({ day: TODAY, time: '00:00' })
  expect(parseWhen('17:30', TODAY)).toEqual({ day: TODAY, time: '17:30' })
})

test('a text that is not a date is not parsed', () => {
  for (const text of ['', 'soon', '31 feb', '2026-13-01', '25:00', 'the plants', '7'])
    expect([text, parseWhen(text, TODAY)]).toEqual([text, undefined])
})

test('adding months stops at the last day, and a calendar shows whole weeks with every day', () => {
  expect(addMonths('2026-01-31', 1)).toBe('2026-02-28')
  expect(addMonths('2026-12-15', 1)).toBe('2027-01-15')
  expect(addDays('2026-03-29', 1)).toBe('2026-03-30')
  for (let month = 0; month < 24; month++) {
    const day = addMonths('2026-01-15', month)
    const weeks = weeksOf(day)
    const daysOfMonth = weeks.flat().filter((one) => one.startsWith(day.slice(0, 7)))
    const lastDay = new Date(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)
    expect(daysOfMonth.at(-1)).toBe(dayOf(lastDay))
    expect(daysOfMonth).toHaveLength(lastDay.getDate())
    expect(new Set(weeks.map((week) => week.length))).toEqual(new Set([7]))
  }
})

test('next week begins on a Monday that is not tomorrow', () => {
  expect(nextWeek('2026-11-22')).toBe('2026-11-30')
  expect(nextWeek('2026-11-23')).toBe('2026-11-30')
})
