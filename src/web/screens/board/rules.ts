import type { Input, Output } from '../../data/client.ts'
import type { Board, Card } from '../../entities/board/data.ts'
import { PRIORITIES } from '../../entities/task/priority.tsx'
import { byMode } from '../../entities/task/task-fields.tsx'
import { t } from '../../messages/t.ts'
import { SIZES } from './change.ts'
import { dueDay, type Filter, type Kind, NO_FILTER } from './filter.ts'

export type View = Output<'views.list'>['items'][number]
/** The fields of a view that the current display determines. */
export type Draft = Pick<
  Input<'views.create'>,
  | 'board_filters'
  | 'visible_section_ids'
  | 'sorting_stack'
  | 'label_names'
  | 'assignee_ids'
  | 'subtask_setting'
>
type Groups = View['board_filters']['groups']
type Rule = Groups[number]['rules'][number]

const valuesOf = ({ value }: Rule): string[] =>
  [value].flat().flatMap((item) => (item === undefined || item === null ? [] : String(item)))
const foldCase = (text: string) => text.trim().toLocaleLowerCase()

/** Converts a filter to the rules of a view. */
export function groupsOf(filter: Filter, { labels }: Pick<Board, 'labels'>): Groups {
  const { text, assignee, label, priority, size, due, is } = filter
  const names = labels.flatMap((boardLabel) =>
    label.includes(String(boardLabel.label_id)) ? String(boardLabel.name) : [],
  )
  const rules: Rule[][] = [
    text ? [{ field: 'title', op: 'contains', value: text }] : [],
    assignee.length ? [{ field: 'assignee', op: 'any_of', value: [...assignee] }] : [],
    [
      ...(names.length ? [{ field: 'label', op: 'any_of', value: names } as const] : []),
      ...(label.includes('none') ? [{ field: 'label', op: 'empty' } as const] : []),
    ],
    priority.length ? [{ field: 'priority', op: 'any_of', value: priority.map(Number) }] : [],
    size.length ? [{ field: 'size', op: 'any_of', value: size.map(Number) }] : [],
    due.flatMap((value) => DUE_RULES[value] ?? []),
    is.flatMap((value) => IS_RULES[value] ?? []),
  ]
  return rules.filter((group) => group.length).map((group) => ({ match: 'ANY', rules: group }))
}

const DUE_RULES: Record<string, Rule> = {
  overdue: { field: 'overdue', op: 'is', value: true },
  today: { field: 'due_date', op: 'is', value: 'today' },
  week: { field: 'due_date', op: 'within_days', value: 7 },
  none: { field: 'due_date', op: 'empty' },
}

/** Views cannot filter by agents at work, because leases change constantly. */
const IS_RULES: Record<string, Rule> = {
  blocked: { field: 'blocked', op: 'is', value: true },
  free: { field: 'blocked', op: 'is', value: false },
  red: { field: 'has_pr', op: 'is', value: 'red' },
}

/** Converts the rules of a view to a filter; undefined if a filter cannot express them. */
export function filterOf(view: View, board: Pick<Board, 'labels'>): Filter | undefined {
  const { board_filters, label_names, assignee_ids, match } = view
  const groups: Groups = [
    ...board_filters.groups,
    ...(label_names.length
      ? [{ rules: [{ field: 'label', op: 'any_of', value: label_names } as const] }]
      : []),
    ...(assignee_ids.length
      ? [{ rules: [{ field: 'assignee', op: 'any_of', value: assignee_ids } as const] }]
      : []),
  ]
  if (match === 'ANY' && groups.length > 1) return undefined
  const filter = { ...NO_FILTER }
  for (const { rules, match: ruleMatch = 'ALL' } of groups) {
    const parsed = rules.map((rule) => readRule(rule, board))
    const [firstRule] = parsed
    if (!firstRule || (ruleMatch === 'ALL' && rules.length > 1)) return undefined
    if (parsed.some((rule) => rule?.kind !== firstRule.kind) || filter[firstRule.kind].length)
      return undefined
    const values = parsed.flatMap((rule) => rule!.values)
    if (firstRule.kind === 'text') filter.text = values.join(' ')
    else filter[firstRule.kind] = [...new Set(values)]
  }
  return filter
}

type RuleValues = { kind: keyof Filter; values: string[] } | undefined

function readRule(rule: Rule, { labels }: Pick<Board, 'labels'>): RuleValues {
  const { field, op } = rule
  const values = valuesOf(rule)
  const isAny = op === 'is' || op === 'any_of'
  if (field === 'title' && op === 'contains') return { kind: 'text', values }
  if (field === 'label' && op === 'empty') return { kind: 'label', values: ['none'] }
  const [is, due] = [ruleName(IS_RULES, rule), ruleName(DUE_RULES, rule)]
  if (is) return { kind: 'is', values: [is] }
  if (due) return { kind: 'due', values: [due] }
  if (!isAny || !values.length) return undefined
  if (field === 'assignee' && values.every(isKey)) return { kind: 'assignee', values }
  if (field === 'priority') return numericValues('priority', values.map(priorityOf))
  if (field === 'size' || field === 'estimate') return numericValues('size', values.map(sizeOf))
  if (field === 'label')
    return numericValues(
      'label',
      values.map(
        (value) =>
          labels.find(
            ({ name, label_id }) =>
              foldCase(name) === foldCase(value) || String(label_id) === value,
          )?.label_id ?? -1,
      ),
    )
  return undefined
}

/** The filter value of a rule. */
const ruleName = (rules: Record<string, Rule>, { field, op, value }: Rule) =>
  Object.keys(rules).find((name) => {
    const candidate = rules[name]!
    return (
      candidate.field === field && candidate.op === op && String(candidate.value) === String(value)
    )
  })

const isKey = (value: string) => /^(me|none|\d+|[0-9a-f-]{36})$/i.test(value)
const priorityOf = (value: string) =>
  /^\d$/.test(value)
    ? Number(value)
    : PRIORITIES.findIndex((name) => name.toLowerCase() === foldCase(value))
const sizeOf = (value: string) =>
  /^[02-6]$/.test(value) ? Number(value) : SIZES.indexOf(value.toUpperCase())
const numericValues = (kind: Kind, numbers: number[]): RuleValues =>
  numbers.includes(-1) ? undefined : { kind, values: numbers.map(String) }

/** The ways to sort a column. */
export const SORTS = {
  Manual: t('board.manual'),
  ...byMode(({ label }) => label),
  DueDate: t('common.due_date'),
  Title: t('common.title'),
  CreatedAt: t('common.created'),
} as const
export type Sort = keyof typeof SORTS
export type Sorting = View['sorting_stack']

export const isSort = (mode: string): mode is Sort => Object.hasOwn(SORTS, mode)

/** Modes by which only the table sorts: the server knows none of them. */
const TABLE_SORTS = [
  ...['Section', 'Label', 'StartDate', 'Parent', 'Agent', 'Subtasks', 'Comments'],
  ...['CompletedAt', 'Time'],
]
/** Modes of the server by which the browser sorts only the table. */
const SERVER_SORTS = ['TicketNumber', 'UpdatedAt', 'Assignee']
export const isTableSort = (mode: string) =>
  TABLE_SORTS.includes(mode) || SERVER_SORTS.includes(mode) || mode.startsWith('cf:')

/** The part of a sorting that a view can have. */
export const serverSorting = (stack: Sorting): Sorting =>
  stack.filter(({ mode }) => !TABLE_SORTS.includes(mode))

/** Whether the browser can sort by all of these modes; the server must sort by others. */
export const knowsOrder = (stack: Sorting) =>
  stack.every(({ mode }) => isSort(mode) || TABLE_SORTS.includes(mode))

const LAST = '\uffff'
const NEVER = Number.POSITIVE_INFINITY
const KEYS: Record<Exclude<Sort, 'Manual'>, (card: Card) => string | number> = {
  ...byMode(
    ({ name }) =>
      (card: Card) =>
        card[name] ?? NEVER,
  ),
  DueDate: (card) => dueDay(card) ?? LAST,
  Title: ({ title }) => foldCase(title),
  CreatedAt: ({ task_id }) => task_id,
}
/** Unset values come last in both directions. */
const isUnset = (key: string | number) => key === LAST || key === NEVER

export function inOrder(cards: readonly Card[], stack: Sorting): readonly Card[] {
  const criteria = stack.flatMap(({ mode, order }) =>
    isSort(mode) && mode !== 'Manual'
      ? { key: KEYS[mode], direction: order === 'Descending' ? -1 : 1 }
      : [],
  )
  if (!criteria.length) return cards
  return cards.toSorted((a, b) => {
    for (const { key, direction } of criteria) {
      const [left, right] = [key(a), key(b)]
      if (left === right) continue
      if (isUnset(left) || isUnset(right)) return isUnset(left) ? 1 : -1
      return left < right ? -direction : direction
    }
    return 0
  })
}
