import type { Input, Output } from '../data/client.ts'
import { PRIORITIES } from '../parts/icon.tsx'
import { SIZES } from './change.ts'
import type { Board, Card } from './data.ts'
import { dueDay, EVERYTHING, type Filter, type Kind } from './filter.ts'

export type View = Output<'views.list'>['items'][number]
/** What is kept of what is shown. */
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
  [value].flat().flatMap((one) => (one === undefined || one === null ? [] : String(one)))
const folded = (text: string) => text.trim().toLocaleLowerCase()

/** A filter as a view keeps it. */
export function groupsOf(filter: Filter, { labels }: Pick<Board, 'labels'>): Groups {
  const { text, assignee, label, priority, size, due, is } = filter
  const names = labels.flatMap((one) =>
    label.includes(String(one.label_id)) ? String(one.name) : [],
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
    due.flatMap((one) => DUE_RULES[one] ?? []),
    is.flatMap((one) => IS_RULES[one] ?? []),
  ]
  return rules.filter((some) => some.length).map((some) => ({ match: 'ANY', rules: some }))
}

const DUE_RULES: Record<string, Rule> = {
  overdue: { field: 'overdue', op: 'is', value: true },
  today: { field: 'due_date', op: 'is', value: 'today' },
  week: { field: 'due_date', op: 'within_days', value: 7 },
  none: { field: 'due_date', op: 'empty' },
}

/** Who is at work is of the moment, and no view can ask for it. */
const IS_RULES: Record<string, Rule> = {
  blocked: { field: 'blocked', op: 'is', value: true },
  free: { field: 'blocked', op: 'is', value: false },
  red: { field: 'has_pr', op: 'is', value: 'red' },
}

/** A view as the filter that it was saved from; nothing where it asks for more than that. */
export function filterOf(view: View, board: Pick<Board, 'labels'>): Filter | undefined {
  const { board_filters, label_names, assignee_ids, match } = view
  const all: Groups = [
    ...board_filters.groups,
    ...(label_names.length
      ? [{ rules: [{ field: 'label', op: 'any_of', value: label_names } as const] }]
      : []),
    ...(assignee_ids.length
      ? [{ rules: [{ field: 'assignee', op: 'any_of', value: assignee_ids } as const] }]
      : []),
  ]
  if (match === 'ANY' && all.length > 1) return undefined
  const filter = { ...EVERYTHING }
  for (const { rules, match: how = 'ALL' } of all) {
    const found = rules.map((rule) => readRule(rule, board))
    const [first] = found
    if (!first || (how === 'ALL' && rules.length > 1)) return undefined
    if (found.some((one) => one?.kind !== first.kind) || filter[first.kind].length) return undefined
    const values = found.flatMap((one) => one!.values)
    if (first.kind === 'text') filter.text = values.join(' ')
    else filter[first.kind] = [...new Set(values)]
  }
  return filter
}

type Read = { kind: keyof Filter; values: string[] } | undefined

function readRule(rule: Rule, { labels }: Pick<Board, 'labels'>): Read {
  const { field, op } = rule
  const values = valuesOf(rule)
  const isAny = op === 'is' || op === 'any_of'
  if (field === 'title' && op === 'contains') return { kind: 'text', values }
  if (field === 'label' && op === 'empty') return { kind: 'label', values: ['none'] }
  const [is, due] = [named(IS_RULES, rule), named(DUE_RULES, rule)]
  if (is) return { kind: 'is', values: [is] }
  if (due) return { kind: 'due', values: [due] }
  if (!isAny || !values.length) return undefined
  if (field === 'assignee' && values.every(isKey)) return { kind: 'assignee', values }
  if (field === 'priority') return numbered('priority', values.map(priorityOf))
  if (field === 'size' || field === 'estimate') return numbered('size', values.map(sizeOf))
  if (field === 'label')
    return numbered(
      'label',
      values.map(
        (value) =>
          labels.find(
            ({ name, label_id }) => folded(name) === folded(value) || String(label_id) === value,
          )?.label_id ?? -1,
      ),
    )
  return undefined
}

/** What such a rule is called in the address. */
const named = (rules: Record<string, Rule>, { field, op, value }: Rule) =>
  Object.keys(rules).find((name) => {
    const one = rules[name]!
    return one.field === field && one.op === op && String(one.value) === String(value)
  })

const isKey = (value: string) => /^(me|none|\d+|[0-9a-f-]{36})$/i.test(value)
const priorityOf = (value: string) =>
  /^\d$/.test(value)
    ? Number(value)
    : PRIORITIES.findIndex((name) => name.toLowerCase() === folded(value))
const sizeOf = (value: string) =>
  /^[02-6]$/.test(value) ? Number(value) : SIZES.indexOf(value.toUpperCase())
const numbered = (kind: Kind, numbers: number[]): Read =>
  numbers.includes(-1) ? undefined : { kind, values: numbers.map(String) }

/** What a column is sorted by. */
export const SORTS = {
  Manual: 'By hand',
  Priority: 'Priority',
  DueDate: 'Due date',
  Size: 'Size',
  Title: 'Title',
  CreatedAt: 'Newest last',
} as const
export type Sort = keyof typeof SORTS
export type Sorting = View['sorting_stack']

export const isSort = (mode: string): mode is Sort => Object.hasOwn(SORTS, mode)

/** Only the server knows the rest. */
export const knowsOrder = (stack: Sorting) => stack.every(({ mode }) => isSort(mode))

const LAST = '\uffff'
const NEVER = Number.POSITIVE_INFINITY
const KEYS: Record<Exclude<Sort, 'Manual'>, (card: Card) => string | number> = {
  Priority: ({ priority }) => priority ?? NEVER,
  DueDate: (card) => dueDay(card) ?? LAST,
  Size: ({ estimate }) => estimate ?? NEVER,
  Title: ({ title }) => folded(title),
  CreatedAt: ({ task_id }) => task_id,
}
/** What is not set comes last either way. */
const isUnset = (key: string | number) => key === LAST || key === NEVER

export function inOrder(cards: readonly Card[], stack: Sorting): readonly Card[] {
  const steps = stack.flatMap(({ mode, order }) =>
    isSort(mode) && mode !== 'Manual'
      ? { key: KEYS[mode], way: order === 'Descending' ? -1 : 1 }
      : [],
  )
  if (!steps.length) return cards
  return cards.toSorted((a, b) => {
    for (const { key, way } of steps) {
      const [one, other] = [key(a), key(b)]
      if (one === other) continue
      if (isUnset(one) || isUnset(other)) return isUnset(one) ? 1 : -1
      return one < other ? -way : way
    }
    return 0
  })
}
