import { expect, test } from 'bun:test'
import { escapeInTitle } from '../../src/web/entities/task/escape.ts'
import { EMPTY_FILTER, filterOf, type Groups, groupsOf } from '../../src/web/screens/mine/filter.ts'
import { msUntilChange } from '../../src/web/screens/mine/next-change.ts'
import {
  DEFAULT_OPTIONS,
  listQueryOf,
  readOptions,
  type ViewOptions,
  writeOptions,
} from '../../src/web/screens/mine/view-options.ts'

const ALL_OPTIONS: ViewOptions = {
  ...{ involvement: 'watched', grouping: 'board', withDone: true, project_ids: [3, 7] },
  filter: { priority: ['1', '0'], due: ['overdue'], label: ['a, b', 'c'], is: ['blocked'] },
  sorting: [{ mode: 'Priority', order: 'Descending' }],
}
const roundTrip = (base: ViewOptions, next: ViewOptions) => {
  const query = new URLSearchParams('task=HOM-1')
  writeOptions(query, base, next)
  return { query, reread: { ...base, ...readOptions(query) } }
}

test('view options are the same after they are written to the address and read again', () => {
  for (const [base, next] of [
    [DEFAULT_OPTIONS, ALL_OPTIONS],
    [ALL_OPTIONS, DEFAULT_OPTIONS],
    [ALL_OPTIONS, { ...ALL_OPTIONS, filter: EMPTY_FILTER }],
    [DEFAULT_OPTIONS, { ...DEFAULT_OPTIONS, project_ids: [1] }],
  ] as const)
    expect(roundTrip(base, next).reread).toEqual(next)
})

test('the address has only options that differ from the view, and keeps other parameters', () => {
  expect(roundTrip(ALL_OPTIONS, ALL_OPTIONS).query.toString()).toBe('task=HOM-1')
  const { query } = roundTrip(ALL_OPTIONS, { ...ALL_OPTIONS, project_ids: [7, 3], withDone: false })
  expect(query.toString()).toBe('task=HOM-1&done=no')
})

test('an empty board selection queries all boards by id, and a missing one sends no ids', () => {
  expect(listQueryOf({ project_ids: [] }, [1, 2])).toEqual({ project_ids: [1, 2] })
  expect(listQueryOf({}, [1, 2])).toEqual({})
})

test('a filter is the same after it is saved in a view and read again', () => {
  expect(filterOf(groupsOf(ALL_OPTIONS.filter!))).toEqual(ALL_OPTIONS.filter)
  expect(filterOf(groupsOf(EMPTY_FILTER))).toEqual(EMPTY_FILTER)
  const withName: Groups = [{ rules: [{ field: 'priority', op: 'is', value: 'High' }] }]
  expect(filterOf(withName)).toEqual({ ...EMPTY_FILTER, priority: ['2'] })
})

test('rules that a filter cannot express are not converted to one', () => {
  const rule = { field: 'priority', op: 'is', value: 1 } as const
  const twoGroups: Groups = [
    { rules: [rule] },
    { rules: [{ field: 'label', op: 'is', value: 'a' }] },
  ]
  expect(filterOf(twoGroups)).not.toBeNull()
  expect(filterOf(twoGroups, 'ANY')).toBeNull()
  expect(filterOf([{ rules: [{ ...rule, op: 'is_not' }] }])).toBeNull()
  expect(filterOf([{ rules: [{ field: 'title', op: 'contains', value: 'x' }] }])).toBeNull()
  expect(filterOf([{ rules: [rule, { ...rule, value: 2 }] }])).toBeNull()
})

test('the list is refreshed when a date of a task is reached, or at midnight in the user’s time zone', () => {
  const now = new Date('2026-11-20T21:30:00Z')
  const minutes = (zone: string, ...moments: (string | null)[]) =>
    msUntilChange(now, zone, moments) / 60_000
  expect(minutes('Europe/Berlin')).toBe(90)
  expect(minutes('UTC')).toBe(150)
  expect(minutes('UTC', '2026-11-20T21:40:00Z', '2026-11-20T22:00:00+01:00')).toBe(10)
  expect(minutes('UTC', '2026-11-20', null, '2026-12-01T00:00:00Z')).toBe(150)
})

test('a part of a title is escaped so that it is not parsed', () => {
  const title = 'Tomorrow: read “Not tomorrow” tomorrow !high'
  expect(escapeInTitle(title, { text: 'tomorrow', from: 30 })).toBe(
    'Tomorrow: read “Not tomorrow” "tomorrow" !high',
  )
  expect(escapeInTitle(title, { text: '!high', from: 39 })).toEndWith(' tomorrow \\!high')
  expect(escapeInTitle('Call $& every week', { text: 'every week', from: 40 })).toBe(
    'Call $& "every week"',
  )
  expect(escapeInTitle('gone', { text: 'every week', from: 5 })).toBe('gone')
})
