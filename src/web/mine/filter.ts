import { DUES, STATES } from '../board/filter.ts'
import type { Input } from '../data/client.ts'
import { PRIORITIES } from '../parts/icon.tsx'

/** What My Tasks are narrowed down to: of each kind any, and of all kinds together. */
export interface Filter {
  priority: readonly string[]
  due: readonly string[]
  /** By name, since boards have labels of their own. */
  label: readonly string[]
  is: readonly string[]
}
export type Kind = keyof Filter
export type Groups = NonNullable<Input<'my_tasks.list'>['board_filters']>['groups']
type Rule = Groups[number]['rules'][number]

export const EVERYTHING: Filter = { priority: [], due: [], label: [], is: [] }
export const KINDS = Object.keys(EVERYTHING) as Kind[]
/** The values of those whose values are always the same. */
export const NAMES = {
  priority: Object.fromEntries(PRIORITIES.map((name, at) => [at, at ? name : 'No priority'])),
  due: DUES,
  is: STATES,
} as const

export const isEverything = (filter: Filter) => KINDS.every((kind) => !filter[kind].length)

export const isSame = (a: Filter | null, b: Filter | null) =>
  a === b ||
  (a !== null &&
    b !== null &&
    KINDS.every((kind) => a[kind].toSorted().join('\n') === b[kind].toSorted().join('\n')))

/** With one value more, or without it. */
export const turned = (values: readonly string[], value: string) =>
  values.includes(value) ? values.filter((one) => one !== value) : [...values, value]

const FIXED: Record<'due' | 'is', Record<string, Rule>> = {
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

/** As the server is asked for it, and as a view keeps it. */
export function groupsOf({ priority, due, label, is }: Filter): Groups {
  const rules: Rule[][] = [
    priority.length ? [{ field: 'priority', op: 'any_of', value: priority.map(Number) }] : [],
    due.map((one) => FIXED.due[one]!),
    label.length ? [{ field: 'label', op: 'any_of', value: [...label] }] : [],
    is.map((one) => FIXED.is[one]!),
  ]
  return rules.filter((some) => some.length).map((some) => ({ match: 'ANY', rules: some }))
}

/** The filter that a view was saved from; nothing where it asks for more than that. */
export function filterOf(groups: Groups, match: 'ALL' | 'ANY' = 'ALL'): Filter | null {
  if (match === 'ANY' && groups.length > 1) return null
  const filter = { ...EVERYTHING }
  for (const { rules, match: how = 'ALL' } of groups) {
    const found = rules.map(readRule)
    const kind = found[0]?.kind
    if (!kind || filter[kind].length || (how === 'ALL' && rules.length > 1)) return null
    if (found.some((one) => one?.kind !== kind)) return null
    filter[kind] = [...new Set(found.flatMap((one) => one!.values))]
  }
  return filter
}

function readRule({ field, op, value }: Rule): { kind: Kind; values: string[] } | undefined {
  for (const kind of ['due', 'is'] as const)
    for (const [name, rule] of Object.entries(FIXED[kind]))
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
