import type { Input } from '../../data/client.ts'
import { DUES, STATES } from '../../entities/task/filter-values.ts'
import { PRIORITIES } from '../../entities/task/priority.tsx'
import { t } from '../../messages/t.ts'

/** A filter: a task matches if it has any of the values of each kind. */
export interface Filter {
  priority: readonly string[]
  due: readonly string[]
  /** Label names, because each board has its own labels. */
  label: readonly string[]
  is: readonly string[]
}
export type Kind = keyof Filter
export type Groups = NonNullable<Input<'my_tasks.list'>['board_filters']>['groups']
type Rule = Groups[number]['rules'][number]

export const EMPTY_FILTER: Filter = { priority: [], due: [], label: [], is: [] }
export const KINDS = Object.keys(EMPTY_FILTER) as Kind[]
/** The names of the fixed values. */
export const NAMES = {
  priority: Object.fromEntries(
    PRIORITIES.map((name, index) => [index, index ? name : t('mine.no_priority')]),
  ),
  due: DUES,
  is: STATES,
} as const

export const isEmptyFilter = (filter: Filter) => KINDS.every((kind) => !filter[kind].length)

export const isSameFilter = (a: Filter | null, b: Filter | null) =>
  a === b ||
  (a !== null &&
    b !== null &&
    KINDS.every((kind) => a[kind].toSorted().join('\n') === b[kind].toSorted().join('\n')))

/** Adds a value, or removes it. */
export const toggleValue = (values: readonly string[], value: string) =>
  values.includes(value) ? values.filter((one) => one !== value) : [...values, value]

const RULES_BY_VALUE: Record<'due' | 'is', Record<string, Rule>> = {
  due: {
    overdue: { field: 'overdue', op: 'is', value: true },
    today: { field: 'due_date', op: 'is', value: 'today' },
    week: { field: 'due_date', op: 'within_days', value: 7 },
    none: { field: 'due_date', op: 'empty' },
  },
  is: {
    blocked: { field: 'blocked', op: 'is', value: true },
    free: { field: 'blocked', op: 'is', value: false },
  },
}

/** The filter as rule groups, as the server and saved views store it. */
export function groupsOf({ priority, due, label, is }: Filter): Groups {
  const rules: Rule[][] = [
    priority.length ? [{ field: 'priority', op: 'any_of', value: priority.map(Number) }] : [],
    due.map((one) => RULES_BY_VALUE.due[one]!),
    label.length ? [{ field: 'label', op: 'any_of', value: [...label] }] : [],
    is.map((one) => RULES_BY_VALUE.is[one]!),
  ]
  return rules.filter((group) => group.length).map((group) => ({ match: 'ANY', rules: group }))
}

/** The filter of a view's rule groups; null if the rules do not fit this form. */
export function filterOf(groups: Groups, match: 'ALL' | 'ANY' = 'ALL'): Filter | null {
  if (match === 'ANY' && groups.length > 1) return null
  const filter = { ...EMPTY_FILTER }
  for (const { rules, match: ruleMatch = 'ALL' } of groups) {
    const parsed = rules.map(parseRule)
    const kind = parsed[0]?.kind
    if (!kind || filter[kind].length || (ruleMatch === 'ALL' && rules.length > 1)) return null
    if (parsed.some((one) => one?.kind !== kind)) return null
    filter[kind] = [...new Set(parsed.flatMap((one) => one!.values))]
  }
  return filter
}

function parseRule({ field, op, value }: Rule): { kind: Kind; values: string[] } | undefined {
  for (const kind of ['due', 'is'] as const)
    for (const [name, rule] of Object.entries(RULES_BY_VALUE[kind]))
      if (rule.field === field && rule.op === op && String(rule.value) === String(value))
        return { kind, values: [name] }
  const values = [value].flat().map(String)
  if ((op !== 'is' && op !== 'any_of') || !values.length) return undefined
  if (field === 'label') return { kind: 'label', values }
  if (field !== 'priority') return undefined
  const numbers = values.map(priorityOf)
  return numbers.includes('-1') ? undefined : { kind: 'priority', values: numbers }
}

const priorityOf = (value: string) =>
  /^[0-4]$/.test(value)
    ? value
    : String(PRIORITIES.findIndex((name) => name.toLowerCase() === value.toLowerCase()))
