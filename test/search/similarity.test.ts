import { expect, test } from 'bun:test'
import { profileOf, similarity } from '../../src/search/ranking/similarity.ts'

const profile = (title: string, text = '') => profileOf(title, text, () => 1)
const compare = (a: readonly [string, string?], b: readonly [string, string?]) =>
  similarity(profile(...a), profile(...b))

test('the similarity of a text to itself is 1, and of texts without a common word 0', () => {
  const leak = ['Leak in the boiler room', 'Water drips from the pipe.'] as const
  expect(compare(leak, leak)).toBeCloseTo(1, 10)
  expect(compare(leak, ['Fire drill', 'Everybody meets at the gate.'])).toBe(0)
})

test('the similarity of two texts is the same in both directions', () => {
  const csv = ['Export tasks as CSV', 'Finance wants a spreadsheet.'] as const
  const report = ['CSV export of the report', 'A file for finance.'] as const
  expect(compare(csv, report)).toBe(compare(report, csv))
})

test('synonyms and words written as one make texts similar', () => {
  const login = compare(['Login times out'], ['Log in times out'])
  expect(login).toBeGreaterThan(0.9)
  expect(compare(['Delete the folder'], ['Remove the directory'])).toBeGreaterThan(0.6)
})

test('words that many tasks share do not make texts similar', () => {
  expect(compare(['Fix the bug in billing'], ['Fix the bug in exports'])).toBeLessThan(0.6)
})
