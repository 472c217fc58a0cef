import type { Output } from '../../../data/client.ts'
import type { Board } from '../../../entities/board/data.ts'
import {
  choicesOf as choicesIn,
  TASK_FIELDS,
  type TaskField,
} from '../../../entities/task/task-fields.tsx'
import type { View } from '../rules.ts'

export type Groups = View['board_filters']['groups']
export type Rule = Groups[number]['rules'][number]
export type Op = Rule['op']
export type CustomField = Output<'custom_fields.list'>['items'][number]
type Member = Output<'projects.members'>['items'][number]

/** The kind of input for a value. */
export type Kind = 'choice' | 'flag' | 'text' | 'key' | 'number' | 'date'

export interface Field {
  /** The field's name on the server. */
  field: string
  name: string
  kind: Kind
  /** Whether the field can be empty. */
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

/** A new rule without a value. */
export const newRule = (field: Field): Rule => ({
  field: field.field,
  op: opsOf(field)[0]!,
  ...(field.kind === 'flag' && { value: true }),
})

/** Normalizes rules with choices, so that one value and a list use the same operator. */
export function normalizeRule(rule: Rule, { kind }: Field): Rule {
  if (kind !== 'choice' && kind !== 'key') return rule
  const { field, op, value } = rule
  const listOp = op === 'is' ? 'any_of' : op === 'is_not' ? 'none_of' : op
  // A null value means empty.
  if (value === null) return { field, op: op === 'is_not' ? 'not_empty' : 'empty' }
  return needsValue(listOp) ? { field, op: listOp, value: valuesOf(rule) } : { field, op: listOp }
}

export const valuesOf = ({ value }: Rule): string[] =>
  [value].flat().flatMap((one) => (one === undefined || one === null ? [] : String(one)))

/** Whether the rule has the value it needs. */
export const isComplete = (rule: Rule) =>
  !needsValue(rule.op) || valuesOf(rule).some((one) => one.trim() !== '')

const choicesOf = (names: readonly string[]) => names.map((name) => ({ value: name, name }))
const flag = (field: string, name: string): Field => ({ field, name, kind: 'flag' })
const date = (field: string, name: string, canBeEmpty = false): Field => ({
  ...{ field, name, kind: 'date', canBeEmpty },
})

/** A built-in field that rules can name. Its choice 0 is the same as empty. */
const taskFieldOf = (field: TaskField): Field[] => {
  const { rule, label: name, control } = field
  const choices = choicesIn(field).flatMap(({ value, name }) =>
    value ? { value: String(value), name } : [],
  )
  return rule ? [{ field: rule, name, kind: control.kind, canBeEmpty: true, choices }] : []
}

interface FieldsContext {
  board: Pick<Board, 'labels' | 'sections'>
  members: readonly Member[]
  customs: readonly CustomField[]
}

const keyOf = ({ agent_id, user_id }: Member) => String(agent_id ?? user_id)

/** All fields that the tasks of a board can be filtered by. */
export function fieldsOf({ board, members, customs }: FieldsContext): Field[] {
  const people = members.map((one) => ({ value: keyOf(one), name: one.name }))
  const me = { value: 'me', name: 'Me' }
  return [
    {
      ...{ field: 'assignee', name: 'Assignee', kind: 'choice', canBeEmpty: true },
      choices: [me, ...people],
    },
    {
      ...{ field: 'label', name: 'Label', kind: 'choice', canBeEmpty: true },
      choices: choicesOf(board.labels.map(({ name }) => name ?? '')),
    },
    {
      ...{ field: 'section', name: 'Column', kind: 'choice' },
      choices: choicesOf(board.sections.map(({ title }) => title)),
    },
    ...TASK_FIELDS.flatMap(taskFieldOf),
    date('due_date', 'Due date', true),
    ...[flag('overdue', 'Overdue'), flag('blocked', 'Blocked'), flag('blocking', 'Blocking')],
    ...[flag('done', 'Done'), flag('snoozed', 'Snoozed')],
    { field: 'title', name: 'Title', kind: 'text' },
    { field: 'description', name: 'Description', kind: 'text', canBeEmpty: true },
    {
      ...{ field: 'created_by', name: 'Created by', kind: 'choice' },
      choices: [me, ...people],
    },
    { field: 'parent', name: 'Parent task', kind: 'key', canBeEmpty: true },
    { field: 'ticket_number', name: 'Key', kind: 'key' },
    date('start_date', 'Start date', true),
    date('created_at', 'Created'),
    date('updated_at', 'Updated'),
    date('completed_at', 'Completed', true),
    date('section_changed_at', 'In column since'),
    date('last_comment_at', 'Last comment', true),
    ...[flag('has_comments', 'Has comments'), flag('has_attachments', 'Has files')],
    ...[flag('has_pages', 'Has pages'), flag('has_due_date', 'Has a due date')],
    { field: 'has_pr', name: 'Pull requests', kind: 'choice', choices: PULLS },
    {
      ...{ field: 'status', name: 'Status', kind: 'choice' },
      choices: [
        { value: 'Normal', name: 'On the board' },
        { value: 'Archive', name: 'Archived' },
      ],
    },
    ...customs.map(fieldOf),
  ]
}

const PULLS = [
  { value: 'true', name: 'Any' },
  { value: 'false', name: 'None' },
  { value: 'red', name: 'Failing' },
  { value: 'pending', name: 'Checks running' },
  { value: 'green', name: 'Checks passing' },
  { value: 'merged', name: 'Merged' },
]

const KINDS: Record<CustomField['type'], Kind> = {
  number: 'number',
  date: 'date',
  select: 'choice',
  checkbox: 'flag',
  text: 'text',
  url: 'text',
}

const fieldOf = ({ field_id, name, type, options }: CustomField): Field => ({
  ...{ field: field_id, name, kind: KINDS[type], canBeEmpty: true },
  ...(type === 'select' && {
    choices: options.map(({ option_id, label }) => ({ value: option_id, name: label })),
  }),
})
