import { expect, test } from 'bun:test'
import { OPERATOR_NAMES } from '../../src/features/tasks/find/operators.ts'
import { parse } from '../../src/search/query.ts'
import { OPERATORS } from '../../src/web/search/operators.ts'
import {
  hasToken,
  partsOf,
  textFiltersOf,
  toggleToken,
  wordsIn,
} from '../../src/web/search/query.ts'
import { completeQueryOf, suggestions } from '../../src/web/search/suggest.ts'

const offered = (text: string, names = {}) =>
  suggestions(text, text.length, names).map((one) => one.text)

test('the search box has exactly the operators of the server', () => {
  expect(Object.keys(OPERATORS).sort()).toEqual([...OPERATOR_NAMES].sort())
})

test('the search box splits a query as the server does', () => {
  const typed = 'paint "two words" -label:"in a box" due:<=2026-12-01 http://a.b 10:30 is:open,done'
  const asks = parse(typed, OPERATOR_NAMES).filters.flat()
  const own = partsOf(typed).flatMap(({ name, text, not }) => (name ? [[name, text, not]] : []))
  expect(own).toEqual([
    ['label', 'in a box', true],
    ['due', '<=2026-12-01', false],
    ['is', 'open,done', false],
  ])
  expect(asks.map(({ operator, values, not }) => [operator, values.join(), not])).toEqual(own)
  expect(wordsIn(typed)).toBe('paint "two words" http://a.b 10:30')
  expect(wordsIn('one OR two -three')).toBe('one two')
})

test('an operator is suggested by its beginning, and then its values', () => {
  expect(offered('fence la')).toEqual(['label:'])
  expect(offered('is:over')).toEqual(['is:overdue'])
  expect(offered('-is:o')).toEqual(['-is:open', '-is:overdue'])
  expect(offered('overd')).toEqual(['is:overdue'])
  expect(offered('priority:urgent,h')).toEqual(['priority:urgent,high'])
  expect(offered('section:rev', { columns: ['In review', 'To do'] })).toEqual([
    'section:"In review"',
  ])
  expect(offered('paint ')).toEqual([])
  expect(offered('"label')).toEqual([])
  expect(suggestions('la fence', 8, {})).toEqual([])
})

test('an incomplete operator is left out of the query, and a complete one is sent', () => {
  const asked = (text: string, names = {}) => completeQueryOf(text, text.length, names)
  expect(asked('fence is:')).toBe('fence')
  expect(asked('fence is:ov')).toBe('fence')
  expect(asked('fence is:overdue')).toBe('fence is:overdue')
  expect(asked('label:we', { labels: ['web'] })).toBe('')
  expect(asked('label:web', { labels: ['web'] })).toBe('label:web')
  expect(asked('label:other', { labels: ['web'] })).toBe('label:other')
  expect(asked('due:<=2026-12-01')).toBe('due:<=2026-12-01')
  expect(asked('fence -')).toBe('fence')
  // The caret is elsewhere, so the operator counts as complete.
  expect(completeQueryOf('is:ov', -1, {})).toBe('is:ov')
})

test('a filter adds its operator to the query once, and removes it again', () => {
  expect(toggleToken('fence', 'is:open')).toBe('fence is:open')
  expect(toggleToken('is:open fence', 'is:open')).toBe('fence')
  expect(hasToken('fence IS:OPEN', 'is:open')).toBe(true)
  expect(hasToken('fence -is:open', 'is:open')).toBe(false)
})

test('a search of passages uses the filters that it supports and reports the others', () => {
  const boards = [{ project_id: 3, key: 'WEB', title: 'The web' }]
  const found = textFiltersOf('x label:a,b by:me board:"the web" updated:<7d is:open -label:c', {
    boards,
  })
  expect(found.project_id).toBe(3)
  expect(found.metadata_filters).toMatchObject({ label: ['a', 'b'], author: ['me'] })
  const since = Date.parse(found.metadata_filters?.updated_since ?? '')
  expect(Date.now() - since).toBeLessThan(7 * 24 * 60 * 60 * 1000)
  expect(found.unsupported).toEqual(['is:open', '-label:c'])
})
