import type { Output } from '../../../data/client.ts'

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
