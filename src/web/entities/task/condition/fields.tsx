import type { ReactNode } from 'react'
import type { Output } from '../../../data/client.ts'
import { dueText } from '../../../kit/dates.ts'
import { t } from '../../../messages/t.ts'
import type { Label, Section } from '../../board/data.ts'
import { type Actor, keyOf } from '../../user/actor.ts'
import { Avatar } from '../../user/avatar.tsx'
import { Priority } from '../priority.tsx'
import {
  choicesOf as choicesIn,
  englishChoicesOf,
  TASK_FIELDS,
  type TaskField,
} from '../task-fields.tsx'
import { needsValue, type Op, type Rule, valuesOf } from './filter.ts'

export type CustomField = Pick<
  Output<'custom_fields.list'>['items'][number],
  'field_id' | 'name' | 'type' | 'options'
>

/** The kind of input for a value. */
export type Kind = 'choice' | 'flag' | 'text' | 'key' | 'number' | 'date'

export interface Field {
  /** The field's name on the server. */
  field: string
  name: string
  kind: Kind
  /** Whether the field can be empty. */
  canBeEmpty?: boolean
  choices?: readonly FieldChoice[]
}

export interface FieldChoice {
  value: string
  name: string
  /** Conditions from the API may name the choice in English. */
  english?: string
  mark?: ReactNode
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
  is: t('board.is'),
  is_not: t('board.is_not'),
  any_of: t('board.is_any_of'),
  none_of: t('board.is_none_of'),
  before: t('board.is_before'),
  after: t('board.is_after'),
  within_days: t('board.within_days'),
  empty: t('board.is_empty'),
  not_empty: t('board.is_not_empty'),
  contains: t('board.contains'),
}

export const opName = (op: Op, kind: Kind) => {
  if (kind === 'number' && op === 'before') return t('board.is_less_than')
  return kind === 'number' && op === 'after' ? t('board.is_more_than') : OP_NAMES[op]
}

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

/** The days that are counted from today. */
export const RELATIVE_DAYS = ['yesterday', 'today', 'tomorrow', '+7d', '-7d']

const DAY_NAMES: Record<string, string> = {
  yesterday: t('board.yesterday'),
  today: t('common.today'),
  tomorrow: t('kit.tomorrow'),
}

/** A date of a rule in words. */
export function dayName(value: string): string {
  const [, sign, count = '', unit = 'd'] = /^([+-])(\d+)([dwmy])$/.exec(value) ?? []
  if (!sign) return DAY_NAMES[value] ?? (/^\d/.test(value) ? dueText(value).short : value)
  const days = Number(count) * UNIT_DAYS[unit]!
  return sign === '+' ? t('board.in_days', { days }) : t('board.days_ago', { days })
}
const UNIT_DAYS: Record<string, number> = { d: 1, w: 7, m: 30, y: 365 }

/** The choice with this value or name. */
export function choiceNamed({ choices = [] }: Field, text: string): FieldChoice | undefined {
  const isSame = (one: string | undefined) => one?.toLowerCase() === text.toLowerCase()
  return choices.find((one) => isSame(one.value) || isSame(one.name) || isSame(one.english))
}

/** The name of a value of a rule. */
export const nameOfValue = (field: Field, value: string): string =>
  field.kind === 'date' ? dayName(value) : (choiceNamed(field, value)?.name ?? value)

const choicesOf = (names: readonly string[]) => names.map((name) => ({ value: name, name }))
const flag = (field: string, name: string): Field => ({ field, name, kind: 'flag' })
const date = (field: string, name: string, canBeEmpty = false): Field => ({
  ...{ field, name, kind: 'date', canBeEmpty },
})

/** A built-in field that rules can name. Its choice 0 is the same as empty. */
const taskFieldOf = (field: TaskField): Field[] => {
  const { rule, label: name, control } = field
  const choices = choicesIn(field).flatMap(({ value, name }, at) => {
    const mark = field.name === 'priority' && <Priority value={value} />
    const english = englishChoicesOf(field)[at]!.name
    return value ? { value: String(value), name, english, mark } : []
  })
  return rule ? [{ field: rule, name, kind: control.kind, canBeEmpty: true, choices }] : []
}

interface FieldsContext {
  board: {
    labels: readonly Pick<Label, 'name' | 'color'>[]
    sections: readonly Pick<Section, 'title'>[]
  }
  members: readonly Actor[]
  customs: readonly CustomField[]
}

const PULLS = [
  { value: 'true', name: t('board.any') },
  { value: 'false', name: t('common.none') },
  { value: 'red', name: t('board.failing') },
  { value: 'pending', name: t('board.checks_running') },
  { value: 'green', name: t('board.checks_passing') },
  { value: 'merged', name: t('board.merged') },
]

/** All fields that the tasks of a board can be filtered by. */
export function fieldsOf({ board, members, customs }: FieldsContext): Field[] {
  const people = members.map((one) => ({
    value: String(keyOf(one)),
    name: one.name,
    mark: <Avatar actor={one} />,
  }))
  const me = { value: 'me', name: t('board.me') }
  return [
    {
      ...{ field: 'assignee', name: t('board.assignee'), kind: 'choice', canBeEmpty: true },
      choices: [me, ...people],
    },
    {
      ...{ field: 'label', name: t('common.label'), kind: 'choice', canBeEmpty: true },
      choices: board.labels.map(({ name, color }) => ({
        ...{ value: name ?? '', name: name ?? '' },
        mark: <span className="dot" style={{ background: color }} />,
      })),
    },
    {
      ...{ field: 'section', name: t('common.column'), kind: 'choice' },
      choices: choicesOf(board.sections.map(({ title }) => title)),
    },
    {
      ...{ field: 'created_by', name: t('board.created_by'), kind: 'choice' },
      choices: [me, ...people],
    },
    ...SAME_ON_ALL_BOARDS,
    ...customs.map(fieldOf),
  ]
}

export const fieldsByName = (fields: readonly Field[]): ReadonlyMap<string, Field> =>
  new Map(fields.map((one) => [one.field, one]))

const UUID = /^[\da-f-]{36}$/
/** Other names of fields, which conditions from the API may have. */
const ALIASES: Readonly<Record<string, string>> = { section_id: 'section', estimate: 'size' }

/** The field that a condition names; a custom field also by its own name. */
export function fieldNamed(fields: ReadonlyMap<string, Field>, name: string): Field | undefined {
  const bare = name.replace(/^cf:/i, '').trim()
  const isCustom = ({ field, name: own }: Field) =>
    UUID.test(field) && own.toLowerCase() === bare.toLowerCase()
  return (
    fields.get(ALIASES[name] ?? name) ??
    fields.get(bare.toLowerCase()) ??
    [...fields.values()].find(isCustom)
  )
}

/** The fields that do not depend on the board. */
const SAME_ON_ALL_BOARDS: readonly Field[] = [
  ...TASK_FIELDS.flatMap(taskFieldOf),
  date('due_date', t('common.due_date'), true),
  ...[
    flag('overdue', t('common.overdue')),
    flag('blocked', t('common.blocked')),
    flag('blocking', t('board.blocking')),
  ],
  ...[flag('done', t('common.done')), flag('snoozed', t('common.snoozed'))],
  flag('working', t('task.being_worked_on')),
  { field: 'title', name: t('common.title'), kind: 'text' },
  { field: 'description', name: t('common.description'), kind: 'text', canBeEmpty: true },
  { field: 'parent', name: t('board.parent_task'), kind: 'key', canBeEmpty: true },
  { field: 'ticket_number', name: t('common.key'), kind: 'key' },
  date('start_date', t('board.start_date'), true),
  date('created_at', t('common.created')),
  date('updated_at', t('common.updated')),
  date('completed_at', t('board.completed'), true),
  date('section_changed_at', t('board.in_column_since')),
  date('last_comment_at', t('board.last_comment'), true),
  ...[flag('has_comments', t('board.has_comments')), flag('has_attachments', t('board.has_files'))],
  ...[flag('has_pages', t('board.has_pages')), flag('has_due_date', t('board.has_a_due_date'))],
  { field: 'has_pr', name: t('common.pull_requests'), kind: 'choice', choices: PULLS },
  {
    ...{ field: 'status', name: t('board.status'), kind: 'choice' },
    choices: [
      { value: 'Normal', name: t('board.on_the_board') },
      { value: 'Archive', name: t('common.archived') },
    ],
  },
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
