import { expect, test } from 'bun:test'
import { fitsInside } from '../../src/web/screens/board/timeline/fits-inside.ts'
import {
  clampWidth,
  scaleOf,
  weekendOffset,
  zoomAt,
} from '../../src/web/screens/board/timeline/scale.ts'

/** A Monday. */
const TODAY = '2026-11-30'

test('every position within a day leads back to that day, at any width', () => {
  for (const width of [1.5, 4, 12, 36.7, 96]) {
    const scale = scaleOf(width, TODAY, ['2026-01-05', '2027-02-28'])
    for (const day of ['2026-01-05', '2026-02-28', TODAY, '2027-02-28']) {
      const days = [0.01, 0.5, 0.99].map((part) => scale.dayAt(scale.x(day) + part * width))
      expect([width, ...days]).toEqual([width, day, day, day])
    }
  }
})

test('a position outside of the timeline leads to its first or last day', () => {
  const scale = scaleOf(12, TODAY, [])
  expect(scale.dayAt(-50)).toBe(scale.origin)
  expect(scale.dayAt(scale.total + 50)).toBe(scale.dayAt(scale.total - 1))
})

test('narrower days get the labels of weeks, then of months, and the width has limits', () => {
  expect([36, 22, 12, 7, 4].map(zoomAt)).toEqual(['days', 'days', 'weeks', 'weeks', 'months'])
  expect([0.1, 20, 500].map(clampWidth)).toEqual([1.5, 20, 96])
})

test('the shade of weekends begins on a Saturday', () => {
  const scale = scaleOf(10, TODAY, [])
  const saturday = scale.dayAt(weekendOffset(scale) + 7 * 10)
  expect(new Date(`${saturday}T12:00Z`).getUTCDay()).toBe(6)
  expect(weekendOffset(scale)).toBeLessThanOrEqual(0)
})

test('a title is on its bar if it fits or if the bar is wide, and beside it otherwise', () => {
  expect(fitsInside('Ant', 60)).toBe(true)
  expect(fitsInside('Ant', 24)).toBe(false)
  const long = 'Translate the sign-in page into German'
  expect([60, 109, 110, 400].map((width) => fitsInside(long, width))).toEqual([
    ...[false, false, true, true],
  ])
})
