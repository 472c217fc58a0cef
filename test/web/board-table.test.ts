import { expect, test } from 'bun:test'
import { cellText, parseCell } from '../../src/web/screens/board/table/cell-text.ts'
import { parseTsv, toHtml, toTsv } from '../../src/web/screens/board/table/clipboard.ts'
import { fieldsOf } from '../../src/web/screens/board/table/fields.ts'
import { type Group, groupRows, valueInGroup } from '../../src/web/screens/board/table/grouping.ts'
import { linesOf } from '../../src/web/screens/board/table/lines.ts'
import { planClear, planFill, planPaste } from '../../src/web/screens/board/table/paste.ts'
import { nextSorting, sortParam, sortRows } from '../../src/web/screens/board/table/sort.ts'
import { totalText } from '../../src/web/screens/board/table/totals.ts'
import type { CustomField, Row, TableContext } from '../../src/web/screens/board/table/types.ts'

/** Monday. */
const TODAY = '2026-11-30'

const sections = [
  { section_id: 1, title: 'Next', done: false },
  { section_id: 2, title: 'Done', done: true },
]
const labels = [
  { label_id: 7, name: 'garden', color: '#2f7d32' },
  { label_id: 8, name: 'house, inside', color: '#8a4b2f' },
]
const members = [
  { kind: 'person', user_id: 4, name: 'Ada' },
  { kind: 'person', user_id: 5, name: 'Ben' },
  { kind: 'agent', agent_id: 'a-1', name: 'Lantern' },
]
const custom = [
  { field_id: 'p', name: 'Points', type: 'number', options: [] },
  {
    ...{ field_id: 's', name: 'Stage', type: 'select' },
    options: [
      { option_id: 'o1', label: 'Draft' },
      { option_id: 'o2', label: 'Final' },
    ],
  },
  { field_id: 'c', name: 'Checked', type: 'checkbox', options: [] },
  { field_id: 'u', name: 'Link', type: 'url', options: [] },
] as unknown as CustomField[]

const fields = fieldsOf(custom)
const field = (name: string) => fields.find((one) => one.name === name)!

const row = (task_id: number, card: object = {}, values?: object) =>
  ({
    card: {
      ...{ task_id, ticket_number: `HOM-${task_id}`, title: `Task ${task_id}` },
      ...{ section_id: 1, rank: 'a', ...card },
    },
    details: { task_id, created_at: '', updated_at: '', values },
  }) as unknown as Row

const rows = [
  row(1, { priority: 1, labels: [7, 8], assignees: [4], due_date: '2026-11-29', estimate: 2 }),
  row(2, { priority: 3, labels: [7], assignees: [5, 'a-1'], due_date: TODAY }, { p: 5 }),
  row(3, { section_id: 2, due_date: '2026-12-06', estimate: 4 }, { p: 2.5, s: 'o2' }),
  row(4, { parent_task_id: 1, due_date: '2026-12-07' }),
]

const context = {
  ...{ board: { project_id: 1 }, sections, members },
  shown: sections.map((section) => ({ ...section, cards: [] })),
  labels: new Map(labels.map((label) => [label.label_id, label])),
  actors: new Map(members.map((member) => [member.agent_id ?? member.user_id, member])),
  cardsById: new Map(rows.map(({ card }) => [card.task_id, card])),
} as unknown as TableContext

const parsed = (name: string, text: string) => parseCell(field(name), text, context, TODAY)

test('a pasted text becomes the value of its field, regardless of case', () => {
  for (const [name, text, value] of [
    ['title', '  Mend   the gate ', 'Mend the gate'],
    ['section', 'done', 2],
    ['priority', 'high', 2],
    ['priority', '', 0],
    ['size', 'xl', 6],
    ['due', '2026-12-24', '2026-12-24'],
    ['due', 'tomorrow', '2026-12-01'],
    ['due', '', null],
    ['assignee', 'ben, Lantern', [5, 'a-1']],
    ['assignee', '', []],
    ['label', 'house, inside', [8]],
    ['label', 'Garden', [7]],
    ['parent', 'hom-2 Task 2', 2],
    ['cf:p', '1,234.5', 1234.5],
    ['cf:p', '2,5', 2.5],
    ['cf:s', 'final', 'o2'],
    ['cf:c', 'yes', true],
    ['cf:c', 'no', null],
    ['cf:u', 'https://example.com/a', 'https://example.com/a'],
  ] as const)
    expect([name, text, parsed(name, text)]).toEqual([name, text, { value } as never])
})

test('a pasted text without a value names what is unknown', () => {
  for (const [name, text, problem] of [
    ['title', '', 'Title cannot be empty'],
    ['section', '', 'Column cannot be empty'],
    ['section', 'Elsewhere', 'Unknown value: Elsewhere'],
    ['priority', 'huge', 'Unknown value: huge'],
    ['assignee', 'Ada, Nemo', 'Unknown value: Nemo'],
    ['due', 'someday', 'Unknown value: someday'],
    ['cf:p', 'many', 'Unknown value: many'],
    ['cf:u', 'javascript:alert(1)', 'Unknown value: javascript:alert(1)'],
    ['created', '2026-01-01', 'Created cannot be edited'],
  ] as const)
    expect([name, text, parsed(name, text)]).toEqual([name, text, { problem } as never])
})

test('the text of a cell is parsed to the same value', () => {
  for (const name of ['title', 'section', 'assignee', 'priority', 'size', 'due', 'label', 'cf:p'])
    for (const one of rows) {
      const value = field(name).read(one)
      const text = cellText(field(name), value, context)
      if (text) expect(parsed(name, text)).toEqual({ value })
    }
})

test('cells with tabs, quotes and line breaks are copied and parsed without loss', () => {
  const cells = [
    ['plain', 'with\ttab', 'with "quotes"'],
    ['two\nlines', '', 'end'],
  ]
  expect(parseTsv(toTsv(cells))).toEqual(cells)
  expect(parseTsv('a\tb\r\nc\td\r\n')).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
  expect(parseTsv('one')).toEqual([['one']])
  expect(parseTsv('6" pipe\tb')).toEqual([['6" pipe', 'b']])
  expect(toHtml([['<b>', 'a & b']])).toContain('<td>&lt;b&gt;</td><td>a &amp; b</td>')
})

const target = (height: number, width: number) => ({
  rows,
  fields: [field('priority'), field('size')],
  ...{ height, width },
})

test('a paste repeats its cells over the selected range, and one cell fills it', () => {
  const { edits, problems } = planPaste([['Low']], target(3, 1), context)
  expect(problems).toEqual([])
  expect(edits.map(({ card, value }) => [card.task_id, value])).toEqual([
    [1, 4],
    [2, 4],
    [3, 4],
  ])
})

test('a paste reports each unknown value and the rows that do not fit', () => {
  const { edits, problems } = planPaste(
    [['Low', 'Huge'], ...Array.from({ length: 4 }, () => ['High', 'S'])],
    target(1, 1),
    context,
  )
  expect(problems).toEqual([
    { ticket_number: 'HOM-1', label: 'Size', problem: 'Unknown value: Huge' },
    expect.objectContaining({ problem: '1 row does not fit below the selected cell' }),
  ])
  expect(edits).toHaveLength(7)
})

test('filling down leaves titles, and clearing leaves titles and columns', () => {
  const all = [field('title'), field('section'), field('priority')]
  expect(new Set(planFill(rows, all).map(({ field }) => field.name))).toEqual(
    new Set(['section', 'priority']),
  )
  expect(new Set(planClear(rows, all).map(({ field }) => field.name))).toEqual(
    new Set(['priority']),
  )
})

const grouped = (...names: string[]) =>
  groupRows(rows, names.map(field), { context, today: TODAY, withEmpty: false })
const namesOf = (groups: readonly Group[]): unknown[] =>
  groups.map(({ name, rows, groups }) =>
    groups.length
      ? [name, namesOf(groups)]
      : `${name}: ${rows.map(({ card }) => card.task_id).join()}`,
  )

test('a task with several labels is in several groups, and tasks without one come last', () => {
  expect(namesOf(grouped('label'))).toEqual(['garden: 1,2', 'house, inside: 1', 'No label: 3,4'])
  expect(namesOf(grouped('assignee'))).toEqual(['Ada: 1', 'Ben: 2', 'Lantern: 2', 'Nobody: 3,4'])
})

test('due dates are grouped by how far away they are', () => {
  expect(namesOf(grouped('due'))).toEqual([
    'Before today: 1',
    'Today: 2',
    'This week: 3',
    'Next week: 4',
  ])
})

test('groups are divided by a second field', () => {
  expect(namesOf(grouped('section', 'priority'))).toEqual([
    ['Next', ['Urgent: 1', 'Medium: 2', 'No Priority: 4']],
    ['Done', ['No Priority: 3']],
  ])
  expect(namesOf(grouped('parent', 'cf:s'))).toEqual([
    ['HOM-1 Task 1', ['No Stage: 4']],
    ['No parent', ['Final: 3', 'No Stage: 1,2']],
  ])
})

test('a task that moves to another group gets its value and keeps its other labels', () => {
  const move = (name: string, at: number, from: string | undefined, to: string) =>
    valueInGroup(field(name), rows[at]!, { from, to, today: TODAY })
  expect(move('label', 0, '7', '8')).toEqual([8])
  expect(move('label', 0, '7', 'none')).toEqual([8])
  expect(move('assignee', 1, '5', '4')).toEqual(['a-1', 4])
  expect(move('priority', 0, '1', 'none')).toBe(0)
  expect(move('due', 0, 'past', 'tomorrow')).toBe('2026-12-01')
  expect(move('due', 0, 'today', 'past')).toBeUndefined()
  expect(move('cf:s', 0, 'none', 'o1')).toBe('o1')
})

test('collapsed groups have no lines, and the field for a new task is below its group', () => {
  const groups = grouped('section')
  const [first, second] = groups.map(({ path }) => path)
  const lines = linesOf(rows, groups, { collapsed: new Set([second!]), adding: first })
  expect(lines.map(({ type }) => type)).toEqual(['group', 'row', 'row', 'row', 'field', 'group'])
})

test('rows are sorted by several fields, and cells without a value come last', () => {
  const ids = (stack: Parameters<typeof sortRows>[1]) =>
    sortRows(rows, stack, fields, context).map(({ card }) => card.task_id)
  expect(ids([{ mode: 'cf:p', order: 'Ascending' }])).toEqual([3, 2, 1, 4])
  expect(ids([{ mode: 'cf:p', order: 'Descending' }])).toEqual([2, 3, 1, 4])
  expect(
    ids([
      { mode: 'Section', order: 'Descending' },
      { mode: 'TicketNumber', order: 'Descending' },
    ]),
  ).toEqual([3, 4, 2, 1])
})

test('clicks on a head sort ascending, descending, and not at all', () => {
  const click = (stack: Parameters<typeof nextSorting>[0], mode: string, isAdded = false) =>
    nextSorting(stack, mode, isAdded)
  const once = click([{ mode: 'Manual', order: 'Ascending' }], 'Title')
  expect(sortParam(once)).toBe('Title')
  const twice = click(once, 'Title')
  expect(sortParam(twice)).toBe('-Title')
  expect(sortParam(click(twice, 'Title'))).toBe('Manual')
  const both = click(twice, 'Priority', true)
  expect(sortParam(both)).toBe('-Title,Priority')
  expect(sortParam(click(both, 'Title', true))).toBe('Priority')
})

test('totals add numbers, average sizes and name the first and the last date', () => {
  expect(totalText(field('cf:p'), 'sum', rows)).toBe('7.5')
  expect(totalText(field('cf:p'), 'average', rows)).toBe('3.75')
  expect(totalText(field('size'), 'average', rows)).toBe('S')
  expect(totalText(field('size'), 'none', rows)).toBe('')
  expect(totalText(field('due'), 'latest', [])).toBe('')
})
