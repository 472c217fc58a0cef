import { expect, test } from 'bun:test'
import { OPERATOR_NAMES } from '../../src/features/search/filters/model/operators.ts'
import { parse } from '../../src/search/query/query.ts'
import { OPERATORS } from '../../src/web/screens/search/operators.ts'
import { hasToken, partsOf, toggleToken, wordsIn } from '../../src/web/screens/search/query.ts'
import { completeQueryOf, suggestions } from '../../src/web/screens/search/suggest.ts'

const suggestionsFor = (text: string, names = {}) =>
  suggestions(text, text.length, names).map((one) => one.text)

test('the search box has exactly the operators of the server', () => {
  expect(Object.keys(OPERATORS).sort()).toEqual([...OPERATOR_NAMES].sort())
})

test('the search box splits a query as the server does', () => {
  const query = 'paint "two words" -label:"in a box" due:<=2026-12-01 http://a.b 10:30 is:open,done'
  const filters = parse(query, OPERATOR_NAMES).filters.flat()
  const parts = partsOf(query).flatMap(({ name, text, not }) => (name ? [[name, text, not]] : []))
  expect(parts).toEqual([
    ['label', 'in a box', true],
    ['due', '<=2026-12-01', false],
    ['is', 'open,done', false],
  ])
  expect(filters.map(({ operator, values, not }) => [operator, values.join(), not])).toEqual(parts)
  expect(wordsIn(query)).toBe('paint "two words" http://a.b 10:30')
  expect(wordsIn('one OR two -three')).toBe('one two')
})

test('an operator is suggested by its beginning, and then its values', () => {
  expect(suggestionsFor('fence la')).toEqual(['label:'])
  expect(suggestionsFor('is:over')).toEqual(['is:overdue'])
  expect(suggestionsFor('-is:o')).toEqual(['-is:open', '-is:overdue'])
  expect(suggestionsFor('overd')).toEqual(['is:overdue'])
  expect(suggestionsFor('priority:urgent,h')).toEqual(['priority:urgent,high'])
  expect(suggestionsFor('section:rev', { columns: ['In review', 'To do'] })).toEqual([
    'section:"In review"',
  ])
  expect(suggestionsFor('paint ')).toEqual([])
  expect(suggestionsFor('"label')).toEqual([])
  expect(suggestions('la fence', 8, {})).toEqual([])
})

test('an incomplete operator is left out of the query, and a complete one is sent', () => {
  const completeQuery = (text: string, names = {}) => completeQueryOf(text, text.length, names)
  expect(completeQuery('fence is:')).toBe('fence')
  expect(completeQuery('fence is:ov')).toBe('fence')
  expect(completeQuery('fence is:overdue')).toBe('fence is:overdue')
  expect(completeQuery('label:we', { labels: ['web'] })).toBe('')
  expect(completeQuery('label:web', { labels: ['web'] })).toBe('label:web')
  expect(completeQuery('label:other', { labels: ['web'] })).toBe('label:other')
  expect(completeQuery('due:<=2026-12-01')).toBe('due:<=2026-12-01')
  expect(completeQuery('fence -')).toBe('fence')
  // The caret is elsewhere, so the operator counts as complete.
  expect(completeQueryOf('is:ov', -1, {})).toBe('is:ov')
})

test('a filter adds its operator to the query once, and removes it again', () => {
  expect(toggleToken('fence', 'is:open')).toBe('fence is:open')
  expect(toggleToken('is:open fence', 'is:open')).toBe('fence')
  expect(hasToken('fence IS:OPEN', 'is:open')).toBe(true)
  expect(hasToken('fence -is:open', 'is:open')).toBe(false)
})
