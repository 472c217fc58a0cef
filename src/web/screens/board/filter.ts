import type { Output } from '../../data/client.ts'
import { parseFilter, printFilter } from './filter-text.ts'

type StoredView = Output<'views.list'>['items'][number]

export type Match = StoredView['match']
export type Groups = StoredView['board_filters']['groups']
export type Group = Groups[number]
export type Rule = Group['rules'][number]
export type Op = Rule['op']

/** Groups of rules, as saved views have them. */
export interface Filter {
  match: Match
  groups: Groups
}

export const NO_FILTER: Filter = { match: 'ALL', groups: [] }

export const isEmptyFilter = ({ groups }: Filter) => !groups.length

export const isSameFilter = (a: Filter, b: Filter) => printFilter(a) === printFilter(b)

export const valuesOf = ({ value }: Pick<Rule, 'value'>): string[] =>
  [value].flat().flatMap((one) => (one === undefined || one === null ? [] : String(one)))

export const needsValue = (op: Op) => op !== 'empty' && op !== 'not_empty'

/** Whether the rule has the value that it needs. */
export const isComplete = (rule: Rule) =>
  !needsValue(rule.op) || valuesOf(rule).some((one) => one.trim() !== '')

export const completeGroups = (groups: Groups): Groups =>
  groups
    .map((group) => ({ ...group, rules: group.rules.filter(isComplete) }))
    .filter(({ rules }) => rules.length)

/** The filter of a view: its separate lists of labels and assignees are rules too. */
export const viewFilter = ({
  board_filters,
  label_names,
  assignee_ids,
  match,
}: Pick<StoredView, 'board_filters' | 'label_names' | 'assignee_ids' | 'match'>): Filter => ({
  match,
  groups: [
    ...board_filters.groups.map((group) => ({ ...group, rules: group.rules.map(withoutNull) })),
    ...(label_names.length ? [anyOf('label', label_names)] : []),
    ...(assignee_ids.length ? [anyOf('assignee', assignee_ids.map(String))] : []),
  ],
})

/** A rule with the value null means an empty field. */
const withoutNull = (rule: Rule): Rule =>
  rule.value === null
    ? { field: rule.field, op: rule.op === 'is_not' ? 'not_empty' : 'empty' }
    : rule

const anyOf = (field: string, value: string[]): Group => ({
  match: 'ALL',
  rules: [{ field, op: 'any_of', value }],
})

const FILTER_PARAM = 'filter'
/** In the address: no filter, even if the view has one. */
const NO_FILTER_VALUE = 'none'

/** Parameters of older addresses, by the operator that each of them is. */
const OLD_PARAMS: Record<string, (value: string) => string> = {
  assignee: (value) => `assignee:${value}`,
  label: (value) => `label:${value}`,
  priority: (value) => `priority:${value}`,
  size: (value) => `size:${value}`,
  due: (value) => `due:${value}`,
  is: (value) => OLD_STATES[value] ?? `is:${value}`,
}
const OLD_STATES: Record<string, string> = {
  '"free"': '-is:blocked',
  '"work"': 'is:working',
  '"red"': 'pr:red',
}
const OLD_TEXT_PARAM = 'q'
const PARAMETERS = new Set([FILTER_PARAM, OLD_TEXT_PARAM, ...Object.keys(OLD_PARAMS)])

/** The filter in the address, if there is one. Names of parameters ignore case. */
export function readFilter(address: URLSearchParams): Filter | undefined {
  const query = [...address].map(([name, value]) => [name.toLowerCase(), value] as const)
  const own = query.filter(([name]) => PARAMETERS.has(name))
  if (!own.length) return undefined
  return parseFilter(own.map(([name, value]) => operatorText(name, value)).join(' '))
}

function operatorText(name: string, value: string): string {
  if (name === FILTER_PARAM) return value === NO_FILTER_VALUE ? '' : value
  const quoted = value.split(',').flatMap((one) => (one.trim() ? `"${one.trim()}"` : []))
  if (name === OLD_TEXT_PARAM || !quoted.length) return value.trim() && `"${value.trim()}"`
  return OLD_PARAMS[name]!(quoted.join())
}

export function writeFilter(query: URLSearchParams, filter: Filter | undefined) {
  for (const name of [...query.keys()]) if (PARAMETERS.has(name.toLowerCase())) query.delete(name)
  if (filter) query.set(FILTER_PARAM, printFilter(filter) || NO_FILTER_VALUE)
}
