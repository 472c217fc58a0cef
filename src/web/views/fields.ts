import { SIZES } from '../board/change.ts'
import type { Board } from '../board/data.ts'
import type { View } from '../board/rules.ts'
import type { Output } from '../data/client.ts'
import { PRIORITIES } from '../parts/icon.tsx'

export type Groups = View['board_filters']['groups']
export type Rule = Groups[number]['rules'][number]
export type Op = Rule['op']
export type Custom = Output<'custom_fields.list'>['items'][number]
type Member = Output<'projects.members'>['items'][number]

/** How a value is given. */
export type Kind = 'choice' | 'flag' | 'text' | 'key' | 'number' | 'date'

export interface Field {
  /** As the server calls it. */
  field: string
  name: string
  kind: Kind
  /** It may have no value at all. */
  canBeEmpty?: boolean
  choices?: readonly { value: string; name: string }[]
}

const OPS: Record<Kind, readonly Op[]> = {
  choice: ['any_of', 'none_of'],
  flag: ['is'],
  text: ['contains', 'is', 'is_not'],
  key: ['any_of', 'none_of'],
  number: ['is', 'is_not', 'before', 'after'],
  date: ['is', 'is_not', 'before', 'after', 'within_days'],
}

export const opsOf = ({ kind, canBeEmpty }: Field): readonly Op[] =>
  canBeEmpty ? [...OPS[kind], 'empty', 'not_empty'] : OPS[kind]

const OP_NAMES: Record<Op, string> = {
  is: 'is',
  is_not: 'is not',
  any_of: 'is any of',
  none_of: 'is none of',
  before: 'is before',
  after: 'is after',
  within_days: 'within days',
  empty: 'is empty',
  not_empty: 'is not empty',
  contains: 'contains',
}

export const opName = (op: Op, kind: Kind) => {
  if (kind === 'number' && op === 'before') return 'is less than'
  return kind === 'number' && op === 'after' ? 'is more than' : OP_NAMES[op]
}

export const needsValue = (op: Op) => op !== 'empty' && op !== 'not_empty'

/** A new rule of a field, before it has a value. */
export const newRule = (field: Field): Rule => ({
  field: field.field,
  op: opsOf(field)[0]!,
  ...(field.kind === 'flag' && { value: true }),
})

/** One value or a list of them are asked in the same way. */
export function settled(rule: Rule, { kind }: Field): Rule {
  if (kind !== 'choice' && kind !== 'key') return rule
  const { field, op, value } = rule
  const many = op === 'is' ? 'any_of' : op === 'is_not' ? 'none_of' : op
  // To be nothing is to be empty.
  if (value === null) return { field, op: op === 'is_not' ? 'not_empty' : 'empty' }
  return needsValue(many) ? { field, op: many, value: valuesOf(rule) } : { field, op: many }
}

export const valuesOf = ({ value }: Rule): string[] =>
  [value].flat().flatMap((one) => (one === undefined || one === null ? [] : String(one)))

/** Whether it says all that the server needs. */
export const isWhole = (rule: Rule) =>
  !needsValue(rule.op) || valuesOf(rule).some((one) => one.trim() !== '')

const named = (names: readonly string[]) => names.map((name) => ({ value: name, name }))
const flag = (field: string, name: string): Field => ({ field, name, kind: 'flag' })
const date = (field: string, name: string, canBeEmpty = false): Field => ({
  ...{ field, name, kind: 'date', canBeEmpty },
})

interface On {
  board: Pick<Board, 'labels' | 'sections'>
  members: readonly Member[]
  customs: readonly Custom[]
}

const keyOf = ({ agent_id, user_id }: Member) => String(agent_id ?? user_id)

/** All that the tasks of a board can be chosen by. */
export function fieldsOf({ board, members, customs }: On): Field[] {
  const people = members.map((one) => ({ value: keyOf(one), name: one.name }))
  const me = { value: 'me', name: 'Me' }
  return [
    {
      ...{ field: 'assignee', name: 'Assignee', kind: 'choice', canBeEmpty: true },
      choices: [me, ...people],
    },
    {
      ...{ field: 'label', name: 'Label', kind: 'choice', canBeEmpty: true },
      choices: named(board.labels.map(({ name }) => name ?? '')),
    },
    {
      ...{ field: 'section', name: 'Column', kind: 'choice' },
      choices: named(board.sections.map(({ title }) => title)),
    },
    {
      ...{ field: 'priority', name: 'Priority', kind: 'choice', canBeEmpty: true },
      choices: PRIORITIES.slice(1).map((name, at) => ({ value: String(at + 1), name })),
    },
    {
      ...{ field: 'size', name: 'Size', kind: 'choice', canBeEmpty: true },
      choices: SIZES.flatMap((name, at) => (name ? { value: String(at), name } : [])),
    },
    date('due_date', 'Due date', true),
    ...[flag('overdue', 'Overdue'), flag('blocked', 'Blocked'), flag('blocking', 'Blocking')],
    ...[flag('done', 'Done'), flag('snoozed', 'Snoozed')],
    { field: 'title', name: 'Title', kind: 'text' },
    { field: 'description', name: 'Description', kind: 'text', canBeEmpty: true },
    {
      ...{ field: 'created_by', name: 'Made by', kind: 'choice' },
      choices: [me, ...people],
    },
    { field: 'parent', name: 'Sub-task of', kind: 'key', canBeEmpty: true },
    { field: 'ticket_number', name: 'Key', kind: 'key' },
    date('start_date', 'Start date', true),
    date('created_at', 'Made'),
    date('updated_at', 'Changed'),
    date('completed_at', 'Completed', true),
    date('section_changed_at', 'In its column since'),
    date('last_comment_at', 'Last comment', true),
    ...[flag('has_comments', 'Has comments'), flag('has_attachments', 'Has files')],
    ...[flag('has_pages', 'Has pages'), flag('has_due_date', 'Has a due date')],
    { field: 'has_pr', name: 'Pull requests', kind: 'choice', choices: PULLS },
    {
      ...{ field: 'status', name: 'Stored', kind: 'choice' },
      choices: [
        { value: 'Normal', name: 'On the board' },
        { value: 'Archive', name: 'Archived' },
      ],
    },
    ...customs.map(fieldOf),
  ]
}

const PULLS = [
  { value: 'true', name: 'Some' },
  { value: 'false', name: 'None' },
  { value: 'red', name: 'One fails' },
  { value: 'pending', name: 'Checks run' },
  { value: 'green', name: 'Checks pass' },
  { value: 'merged', name: 'Merged' },
]

const KINDS: Record<Custom['type'], Kind> = {
  number: 'number',
  date: 'date',
  select: 'choice',
  checkbox: 'flag',
  text: 'text',
  url: 'text',
}

const fieldOf = ({ field_id, name, type, options }: Custom): Field => ({
  ...{ field: field_id, name, kind: KINDS[type], canBeEmpty: true },
  ...(type === 'select' && {
    choices: options.map(({ option_id, label }) => ({ value: option_id, name: label })),
  }),
})
