import { expect, test } from 'bun:test'
import { clockTime, durationText, parseMinutes } from '../../src/web/entities/timer/clock.ts'

test('a timer shows hours only if there are any', () => {
  expect([0, 7, 754, 3723].map(clockTime)).toEqual(['0:00', '0:07', '12:34', '1:02:03'])
})

test('durations are shown in hours and minutes', () => {
  expect([0, 20, 60, 3600, 5400].map(durationText)).toEqual([
    ...['0 min', 'less than a minute', '1 min', '1 h', '1 h 30 min'],
  ])
})

test('minutes are parsed in several notations, up to a day', () => {
  const notations = ['90', '1h 30m', '1h30', '1:30', '1.5h', '1,5 h', '90 min']
  expect(notations.map(parseMinutes)).toEqual(notations.map(() => 90))
  expect(['24h', '1440'].map(parseMinutes)).toEqual([1440, 1440])
  for (const text of ['', '0', '1441', '25h', 'an hour', '1:75', '-5'])
    expect(parseMinutes(text)).toBeUndefined()
})
