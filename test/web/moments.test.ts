import { expect, test } from 'bun:test'
import { duePresets, snoozePresets } from '../../src/web/kit/date-presets.ts'
import { dayOf } from '../../src/web/kit/zone.ts'

const dateAt = (day: number, hour = 10) => new Date(2026, 10, day, hour, 30)
const presetNames = (now: Date) => snoozePresets(now).map(({ name }) => name)

test('later today is offered in the morning and not in the evening', () => {
  expect(presetNames(dateAt(18))).toEqual(['Later today', 'Tomorrow', 'Next week'])
  expect(presetNames(dateAt(18, 19))).toEqual(['Tomorrow', 'Next week'])
})

test('snooze presets are in the future and in order, and those in days end at nine', () => {
  for (let day = 1; day <= 28; day++) {
    const now = dateAt(day)
    const moments = snoozePresets(now).map(({ value }) => new Date(value))
    expect(moments.every((one) => one > now)).toBeTrue()
    expect(moments).toEqual(moments.toSorted((a, b) => a.getTime() - b.getTime()))
    expect(moments.slice(1).map((one) => one.getHours())).toEqual([9, 9])
  }
})

test('next week is a Monday that is not tomorrow', () => {
  for (let day = 1; day <= 28; day++) {
    const [today, tomorrow, week] = duePresets(dateAt(day)).map(({ value }) => value)
    expect(today).toBe(dayOf(dateAt(day)))
    expect(tomorrow).toBe(dayOf(dateAt(day + 1)))
    const monday = new Date(`${week}T00:00`)
    expect(monday.getDay()).toBe(1)
    const daysAhead = Math.round(
      (monday.getTime() - new Date(`${today}T00:00`).getTime()) / 86_400_000,
    )
    expect(daysAhead).toBeGreaterThan(1)
    expect(daysAhead).toBeLessThanOrEqual(8)
  }
})
