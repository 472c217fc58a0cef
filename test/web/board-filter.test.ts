import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Board, Card } from '../../src/web/entities/board/data.ts'
import type { Filter } from '../../src/web/entities/task/condition/filter.ts'
import { readFilter, writeFilter } from '../../src/web/screens/board/filter/filter-address.ts'
import { cardTest } from '../../src/web/screens/board/filter/filter-match.ts'
import {
  isSameFilter,
  parseFilter,
  printFilter,
} from '../../src/web/screens/board/filter/filter-text.ts'

const ADA = { user_id: 7, name: 'Ada', kind: 'person' }
const board = {
  actors: [ADA],
  labels: [{ label_id: 1, name: 'bug', color: '#f00' }],
  sections: [{ section_id: 3, title: 'Next', done: false }],
  cards: [],
} as unknown as Board
const card = (fields: Partial<Card>) =>
  ({ task_id: 1, ticket_number: 'SR-1', section_id: 3, title: 'Fix the tap', ...fields }) as Card
const matches = (text: string, fields: Partial<Card>) =>
  cardTest(parseFilter(text), { board, me: 7, serverMatches: undefined })(card(fields))

const rulesIn = (text: string) => parseFilter(text).groups.flatMap(({ rules }) => rules)

test('a typed filter has the operators of the search', () => {
  expect(rulesIn('label:bug,"good first" -is:blocked due:<7d by:me')).toEqual([
    { field: 'label', op: 'any_of', value: ['bug', 'good first'] },
    { field: 'blocked', op: 'is', value: false },
    { field: 'due_date', op: 'within_days', value: 7 },
    { field: 'created_by', op: 'any_of', value: ['me'] },
  ])
  expect(rulesIn('-assignee:ada created:>2w due:>=2026-12-01')).toEqual([
    { field: 'assignee', op: 'none_of', value: ['ada'] },
    { field: 'created_at', op: 'before', value: '-14d' },
    { field: 'due_date', op: 'after', value: '2026-12-01' },
    { field: 'due_date', op: 'is', value: '2026-12-01' },
  ])
})

test('a minus before a condition on dates excludes its range', () => {
  expect(parseFilter('-created:<2d').groups).toEqual([
    {
      match: 'ANY',
      rules: [
        { field: 'created_at', op: 'before', value: '-2d' },
        { field: 'created_at', op: 'after', value: 'today' },
      ],
    },
  ])
  expect(matches('-due:<today', { due_date: '2020-01-01' })).toBe(false)
  expect(matches('-due:<today', { due_date: '2999-01-01' })).toBe(true)
  expect(matches('-due:<today', {})).toBe(true)
})

test('words without an operator, also words with a colon, are text in titles', () => {
  expect(rulesIn('call kim at 10:30')).toEqual([
    { field: 'title', op: 'contains', value: 'call kim at 10:30' },
  ])
  expect(rulesIn('note:this is:strange')).toEqual([
    { field: 'title', op: 'contains', value: 'note:this is:strange' },
  ])
})

test('OR joins conditions, and parentheses group them', () => {
  expect(parseFilter('label:bug OR is:blocked').match).toBe('ANY')
  expect(parseFilter('(label:bug OR is:blocked) priority:1')).toEqual({
    match: 'ALL',
    groups: [
      {
        match: 'ANY',
        rules: [
          { field: 'label', op: 'any_of', value: ['bug'] },
          { field: 'blocked', op: 'is', value: true },
        ],
      },
      { match: 'ALL', rules: [{ field: 'priority', op: 'any_of', value: ['1'] }] },
    ],
  })
})

test('cards match by names and ids, words for days, and empty fields', () => {
  expect(matches('label:bug', { labels: [1] })).toBe(true)
  expect(matches('-label:bug', { labels: [1] })).toBe(false)
  expect(matches('label:none', {})).toBe(true)
  expect(matches('label:bug,none', {})).toBe(true)
  expect(matches('assignee:me', { assignees: [7] })).toBe(true)
  expect(matches('assignee:ada', { assignees: [7] })).toBe(true)
  expect(matches('assignee:none', { assignees: [7] })).toBe(false)
  expect(matches('priority:urgent', { priority: 1 })).toBe(true)
  expect(matches('priority:2,none', { priority: 1 })).toBe(false)
  expect(matches('column:next tap', {})).toBe(true)
  expect(matches('"sr-1 fix"', {})).toBe(true)
  expect(matches('due:<+2d', { due_date: '2020-01-01' })).toBe(true)
  expect(matches('due:>today', { due_date: '2020-01-01' })).toBe(false)
  expect(matches('is:working', {})).toBe(false)
})

test('addresses of earlier versions are read as the same filter', () => {
  const read = (query: string) => readFilter(new URLSearchParams(query))!
  expect(isSameFilter(read('priority=1,3&is=free'), read('filter=priority:1,3 -is:blocked'))).toBe(
    true,
  )
  expect(printFilter(read('q=the fence'))).toBe('"the fence"')
  expect(read('filter=none').groups).toEqual([])
  expect(readFilter(new URLSearchParams('sort=Title'))).toBeUndefined()
})

const word = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== '')
const rule = fc.oneof(
  fc.record({
    field: fc.constantFrom('label', 'assignee', 'section', 'priority', 'parent'),
    op: fc.constantFrom('any_of', 'none_of'),
    value: fc.array(
      word.filter((text) => !/^(none|0|true|false)$/i.test(text)),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  fc.record({ field: fc.constant('title'), op: fc.constant('contains'), value: word }),
  fc.record({
    field: fc.constantFrom('due_date', 'created_at'),
    op: fc.constantFrom('before', 'after', 'is'),
    value: fc.constantFrom('today', '2026-12-01', '+7d', '-2w'),
  }),
  fc.record({ field: fc.constant('due_date'), op: fc.constant('within_days'), value: fc.nat(60) }),
  fc.record({ field: fc.constant('blocked'), op: fc.constant('is'), value: fc.boolean() }),
  fc.record({ field: fc.constant('size'), op: fc.constantFrom('empty', 'not_empty') }),
)
const group = fc.record({
  match: fc.constantFrom('ALL', 'ANY'),
  rules: fc.array(rule, { minLength: 1, maxLength: 3 }),
})
const filter = fc.record({
  match: fc.constantFrom('ALL', 'ANY'),
  groups: fc.array(group, { maxLength: 4 }),
}) as fc.Arbitrary<Filter>

test('every filter survives the address', () => {
  fc.assert(
    fc.property(filter, (before) => {
      const query = new URLSearchParams()
      writeFilter(query, before)
      const after = readFilter(query)!
      expect(printFilter(after)).toBe(printFilter(before))
      const rules = ({ groups }: Filter) => groups.map((one) => one.rules)
      expect(rules(after)).toEqual(rules(before))
    }),
  )
})

test('any text is a filter', () => {
  fc.assert(fc.property(fc.string(), (text) => void parseFilter(text)))
})
