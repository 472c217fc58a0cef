import { expect, test } from 'bun:test'
import { dateOrderOf, parseDate, parseMoment } from '../../src/import/sources/shared/dates.ts'

test.each([
  ['03/Mar/26 9:00 AM', '2026-03-03T09:00:00.000Z'],
  ['03/Mar/26 12:30 PM', '2026-03-03T12:30:00.000Z'],
  ['03/Mar/26 12:00 AM', '2026-03-03T00:00:00.000Z'],
  ['3. Mär. 2026', '2026-03-03T00:00:00.000Z'],
  ['07-mai-26 14:05', '2026-05-07T14:05:00.000Z'],
  ['01/juil./26 3:00 PM', '2026-07-01T15:00:00.000Z'],
  ['2026-03-01', '2026-03-01T00:00:00.000Z'],
  ['2026-07-01 08:35:49.149', '2026-07-01T08:35:49.000Z'],
  ['2026-03-01T09:00:00+02:00', '2026-03-01T07:00:00.000Z'],
  ['Mon Feb 06 2023 05:00:00 GMT+0000 (GMT)', '2023-02-06T05:00:00.000Z'],
  ['Tue Jul 01 08:35:49 UTC 2025', '2025-07-01T08:35:49.000Z'],
  ['31.12.99', '1999-12-31T00:00:00.000Z'],
])('the date %s is read', (text, moment) => expect(parseMoment(text)).toBe(moment))

test.each(['', 'soon', '31/Feb/26', '00/Mar/26', '5', '03/Xyz/26', '2026-13-01', '25:61'])(
  'the text %p is no date',
  (text) => expect(parseDate(text)).toBeUndefined(),
)

test('the order of day and month follows from a number above 12', () => {
  expect(dateOrderOf(['1/2/26', '13/2/26'])).toBe('day first')
  expect(dateOrderOf(['1/2/26', '2/13/26 9:00'])).toBe('month first')
  expect(dateOrderOf(['1/2/26', '03/Mar/26'])).toBeUndefined()
  expect(parseDate('2/13/26', { order: 'month first' })).toBe('2026-02-13')
})
