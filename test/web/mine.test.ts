import { expect, test } from 'bun:test'
import { escapeInTitle } from '../../src/web/mine/escape.ts'
import { EMPTY_FILTER, filterOf, type Groups, groupsOf } from '../../src/web/mine/filter.ts'
import { msUntilChange } from '../../src/web/mine/next-change.ts'
import {
  DEFAULT_OPTIONS,
  listQueryOf,
  readOptions,
  type ViewOptions,
  writeOptions,
} from '../../src/web/mine/view-options.ts'

const MANY: ViewOptions = {
  ...{ grouping: 'board', withDone: true, project_ids: [3, 7] },
  filter: { priority: ['1', '0'], due: ['overdue'], label: ['a, b', 'c'], is: ['blocked'] },
  sorting: [{ mode: 'Priority', order: 'Descending' }],
}
const through = (base: ViewOptions, next: ViewOptions) => {
  const query = new URLSearchParams('task=HOM-1')
  writeOptions(query, base, next)
  return { query, again: { ...base, ...readOptions(query) } }
}

test('view options are the same after they are written to the address and read again', () => {
  for (const [base, next] of [
    [DEFAULT_OPTIONS, MANY],
    [MANY, DEFAULT_OPTIONS],
    [MANY, { ...MANY, filter: EMPTY_FILTER }],
    [DEFAULT_OPTIONS, { ...DEFAULT_OPTIONS, project_ids: [1] }],
  ] as const)
    expect(through(base, next).again).toEqual(next)
})

test('the address has only options that differ from the view, and keeps other parameters', () => {
  expect(through(MANY, MANY).query.toString()).toBe('task=HOM-1')
  const { query } = through(MANY, { ...MANY, project_ids: [7, 3], withDone: false })
  expect(query.toString()).toBe('task=HOM-1&done=no')
})

test('an empty board selection queries all boards by id, and a missing one sends no ids', () => {
  expect(listQueryOf({ project_ids: [] }, [1, 2])).toEqual({ project_ids: [1, 2] })
  expect(listQueryOf({}, [1, 2])).toEqual({})
})

test('a filter is the same after it is saved in a view and read again', () => {
  expect(filterOf(groupsOf(MANY.filter!))).toEqual(MANY.filter)
  expect(filterOf(groupsOf(EMPTY_FILTER))).toEqual(EMPTY_FILTER)
  const named: Groups = [{ rules: [{ field: 'priority', op: 'is', value: 'High' }] }]
  expect(filterOf(named)).toEqual({ ...EMPTY_FILTER, priority: ['2'] })
})

test('rules that a filter cannot express are not converted to one', () => {
  const rule = { field: 'priority', op: 'is', value: 1 } as const
  const twice: Groups = [{ rules: [rule] }, { rules: [{ field: 'label', op: 'is', value: 'a' }] }]
  expect(filterOf(twice)).not.toBeNull()
  expect(filterOf(twice, 'ANY')).toBeNull()
  expect(filterOf([{ rules: [{ ...rule, op: 'is_not' }] }])).toBeNull()
  expect(filterOf([{ rules: [{ field: 'title', op: 'contains', value: 'x' }] }])).toBeNull()
  expect(filterOf([{ rules: [rule, { ...rule, value: 2 }] }])).toBeNull()
})

test('the list changes at the next moment of a task, or at midnight in the user’s time zone', () => {
  const now = new Date('2026-11-20T21:30:00Z')
  const minutes = (zone: string, ...moments: (string | null)[]) =>
    msUntilChange(now, zone, moments) / 60_000
  expect(minutes('Europe/Berlin')).toBe(90)
  expect(minutes('UTC')).toBe(150)
  expect(minutes('UTC', '2026-11-20T21:40:00Z', '2026-11-20T22:00:00+01:00')).toBe(10)
  expect(minutes('UTC', '2026-11-20', null, '2026-12-01T00:00:00Z')).toBe(150)
})

test('a part of a title is escaped so that it is not parsed', () => {
  const line = 'Tomorrow: read “Not tomorrow” tomorrow !high'
  expect(escapeInTitle(line, { text: 'tomorrow', from: 30 })).toBe(
    'Tomorrow: read “Not tomorrow” "tomorrow" !high',
  )
  expect(escapeInTitle(line, { text: '!high', from: 39 })).toEndWith(' tomorrow \\!high')
  expect(escapeInTitle('Call $& every week', { text: 'every week', from: 40 })).toBe(
    'Call $& "every week"',
  )
  expect(escapeInTitle('gone', { text: 'every week', from: 5 })).toBe('gone')
})
