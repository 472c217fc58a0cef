import type { Filter, Group, Rule } from '../../../entities/task/condition/filter.ts'

/**
 * Filters as text, with the operators of the search: `label:bug,ui -is:blocked due:<7d`. Words
 * without an operator are text in titles. OR joins conditions, and parentheses group them.
 */

/** Fields by the operators that name them; other operators have the name of their field. */
const FIELDS: Record<string, string> = {
  by: 'created_by',
  column: 'section',
  key: 'ticket_number',
  due: 'due_date',
  start: 'start_date',
  created: 'created_at',
  updated: 'updated_at',
  completed: 'completed_at',
  moved: 'section_changed_at',
  commented: 'last_comment_at',
  pr: 'has_pr',
}
const OPERATORS = Object.fromEntries(Object.entries(FIELDS).map(([name, field]) => [field, name]))
const PLAIN = 'assignee label section priority size estimate points title description parent status'
/** The operators of the built-in fields. */
export const OPERATOR_NAMES: ReadonlySet<string> = new Set([
  ...[...Object.keys(FIELDS), ...PLAIN.split(' ')],
  ...['is', 'has'],
])

/** What `is:` and `has:` name. */
const FLAGS: Record<string, Rule> = {
  'is:open': { field: 'done', op: 'is', value: false },
  'is:archived': { field: 'status', op: 'is', value: 'Archive' },
  ...Object.fromEntries(
    ['blocked', 'blocking', 'done', 'overdue', 'snoozed', 'working'].map((name) => [
      `is:${name}`,
      { field: name, op: 'is', value: true } as const,
    ]),
  ),
  'has:due': { field: 'has_due_date', op: 'is', value: true },
  'has:pr': { field: 'has_pr', op: 'is', value: 'true' },
  'has:attachment': { field: 'has_attachments', op: 'is', value: true },
  'has:comment': { field: 'has_comments', op: 'is', value: true },
  'has:page': { field: 'has_pages', op: 'is', value: true },
}
const PAST = /^(created|updated|completed|section_changed|last_comment)_at$/
const DATE = /_(at|date)$/
const SPAN = /^(\d{1,4})([dwmy])$/
const DAYS: Record<string, number> = { d: 1, w: 7, m: 30, y: 365 }
const NONE = 'none'

const QUOTED = String.raw`"(?:\\.|[^"\\])*"?`
const TOKEN = new RegExp(
  String.raw`[()]|(-)?(?:([A-Za-z_][\w-]*|[\da-f-]{36}):)?((?:${QUOTED}|[^\s()"])*)`,
  'g',
)
const VALUE = new RegExp(`[<>]=?|~|,|${QUOTED}|[^",<>~]+`, 'g')

/** The field that an operator names. Custom fields have the id as their operator. */
type FieldOf = (operator: string) => string | undefined
const builtIn: FieldOf = (operator) =>
  OPERATOR_NAMES.has(operator.toLowerCase())
    ? (FIELDS[operator.toLowerCase()] ?? operator.toLowerCase())
    : /^[\da-f-]{36}$/.test(operator)
      ? operator
      : undefined

export function parseFilter(text: string, fieldOf: FieldOf = builtIn): Filter {
  const tokens = [...text.matchAll(TOKEN)].filter(([token]) => token)
  const clauses = readClauses(tokens, fieldOf)
  const [first = []] = clauses
  return clauses.length === 1 && first.length > 1
    ? { match: 'ANY', groups: first }
    : { match: 'ALL', groups: clauses.map((joined) => mergeGroups(joined, 'ANY')) }
}

/** Reads up to a closing parenthesis. OR puts conditions into the same list. */
function readClauses(tokens: RegExpExecArray[], fieldOf: FieldOf): Group[][] {
  const clauses: Group[][] = []
  let isJoined = false
  let word: Rule | undefined
  for (let token = tokens.shift(); token && token[0] !== ')'; token = tokens.shift()) {
    if (token[0] === 'OR') {
      isJoined = true
      continue
    }
    const isBare = /^[^"()]/.test(token[0])
    const group = readGroup(token, tokens, fieldOf)
    const [rule] = group.rules
    const isWord = isBare && rule?.field === 'title' && rule.op === 'contains'
    // Words beside each other are one text.
    if (isWord && word && !isJoined) word.value = `${word.value} ${rule.value}`
    else if (isJoined && clauses.length) clauses.at(-1)!.push(group)
    else if (group.rules.length) clauses.push([group])
    word = isWord ? (word && !isJoined ? word : rule) : undefined
    isJoined = false
  }
  return clauses
}

function readGroup(token: RegExpExecArray, tokens: RegExpExecArray[], fieldOf: FieldOf): Group {
  const [text, minus, operator, value = ''] = token
  if (text === '(') {
    const inner = readClauses(tokens, fieldOf)
    const isAny = inner.length === 1 && inner[0]!.length > 1
    return mergeGroups(inner.flat(), isAny ? 'ANY' : 'ALL')
  }
  const field = operator === undefined ? undefined : fieldOf(operator)
  const group = field && value ? readCondition(field, value, Boolean(minus)) : undefined
  return (
    group ?? { match: 'ALL', rules: [{ field: 'title', op: 'contains', value: unquote(text) }] }
  )
}

const mergeGroups = (groups: readonly Group[], match: Group['match']): Group =>
  groups.length === 1 ? groups[0]! : { match, rules: groups.flatMap(({ rules }) => rules) }

/** The rules of `field:value`. Several values of a flag or a date are alternatives. */
function readCondition(field: string, text: string, not: boolean): Group | undefined {
  const parts = text.match(VALUE) ?? []
  const sign = /^[<>~]/.test(parts[0] ?? '') ? parts.shift()! : ''
  const values = parts.filter((part) => part !== ',').map(unquote)
  if (!values.length) return undefined
  const isRelative = field === 'is' || field === 'has' || DATE.test(field)
  const rules = isRelative
    ? values.flatMap((value) => relativeRules(field, sign, value) ?? [])
    : listRules(field, sign, values)
  if (isRelative && rules.length < values.length) return undefined
  return not ? negated(rules) : { match: rules.length > 1 ? 'ANY' : 'ALL', rules }
}

function relativeRules(field: string, sign: string, value: string): Rule[] | undefined {
  const word = value.toLowerCase()
  if (field === 'is' || field === 'has') {
    const flag = FLAGS[`${field}:${word}`]
    return flag && [{ ...flag }]
  }
  if (word === 'overdue') return [{ field: 'overdue', op: 'is', value: true }]
  if (word === NONE) return [{ field, op: 'empty' }]
  if (word === 'week') return [{ field, op: 'within_days', value: 6 }]
  const [, count, unit = ''] = SPAN.exec(word) ?? []
  if (count === undefined) return comparisons(field, sign, value)
  const days = Number(count) * DAYS[unit]!
  if (!sign.startsWith('>')) return [{ field, op: 'within_days', value: days }]
  const isPast = PAST.test(field)
  return [{ field, op: isPast ? 'before' : 'after', value: `${isPast ? '-' : '+'}${days}d` }]
}

function comparisons(field: string, sign: string, value: string): Rule[] {
  const on: Rule = { field, op: 'is', value }
  if (!sign) return [on]
  const beyond: Rule = { field, op: sign.startsWith('<') ? 'before' : 'after', value }
  return sign.endsWith('=') ? [beyond, on] : [beyond]
}

function listRules(field: string, sign: string, values: readonly string[]): Rule[] {
  if (sign === '~') return [{ field, op: 'contains', value: values.join() }]
  if (sign) return comparisons(field, sign, values.join())
  const isNone = (value: string) =>
    value.toLowerCase() === NONE || (value === '0' && ['priority', 'size'].includes(field))
  const [set, unset] = [values.filter((one) => !isNone(one)), values.some(isNone)]
  return [
    ...(set.length ? [{ field, op: 'any_of', value: set } as const] : []),
    ...(unset ? [{ field, op: 'empty' } as const] : []),
  ]
}

const OPPOSITES: Partial<Record<Rule['op'], Rule['op']>> = {
  is: 'is_not',
  any_of: 'none_of',
  empty: 'not_empty',
}

/** The opposite of alternatives; undefined if no rules express it. */
function negated(rules: readonly Rule[]): Group | undefined {
  const opposites = rules.map(oppositesOf)
  if (opposites.some((one) => !one.length)) return undefined
  if (opposites.length === 1) return { match: 'ANY', rules: opposites[0]! }
  return opposites.every((one) => one.length === 1)
    ? { match: 'ALL', rules: opposites.flat() }
    : undefined
}

/** The alternatives that together are the opposite of a rule. */
function oppositesOf(rule: Rule): Rule[] {
  const { field, op, value } = rule
  if (typeof value === 'boolean') return [{ ...rule, value: !value }]
  const opposite = OPPOSITES[op]
  if (opposite) return [{ ...rule, op: opposite }]
  const unset: Rule[] = /^(created|updated)_at$/.test(field) ? [] : [{ field, op: 'empty' }]
  if (op === 'before' || op === 'after')
    return [
      { field, op: op === 'before' ? 'after' : 'before', value },
      { field, op: 'is', value },
      ...unset,
    ]
  if (op !== 'within_days') return []
  const [first, last] = PAST.test(field) ? [`-${value}d`, 'today'] : ['today', `+${value}d`]
  return [{ field, op: 'before', value: first }, { field, op: 'after', value: last }, ...unset]
}

const unquote = (text: string) =>
  text.replace(new RegExp(QUOTED, 'g'), (part) =>
    part.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1'),
  )

export const isSameFilter = (a: Filter, b: Filter) => printFilter(a) === printFilter(b)

export function printFilter({ match, groups }: Filter): string {
  const printed = groups.map((group) => {
    const rules = group.rules.map(printRule)
    return rules.length > 1 ? `(${rules.join(group.match === 'ANY' ? ' OR ' : ' ')})` : rules[0]
  })
  return printed.filter(Boolean).join(match === 'ANY' ? ' OR ' : ' ')
}

const quote = (value: unknown) => {
  const text = String(value)
  const isPlain = /^[^\s()",:<>~\\-][^\s()",<>~\\]*$|^[+-]\d+\w$/.test(text) && text !== 'OR'
  return isPlain ? text : `"${text.replace(/["\\]/g, '\\$&')}"`
}

function printRule({ field, op, value }: Rule): string {
  const values = [value].flat().filter((one) => one !== undefined && one !== null)
  if (typeof value === 'boolean' || /^(true|false)$/.test(String(value))) {
    const text = flagText(field, String(value) !== (op === 'is_not' ? 'true' : 'false'))
    if (text) return text
  }
  const name = OPERATORS[field] ?? field
  const list = values.map(quote).join()
  if (field === 'title' && op === 'contains') return `"${list.replace(/^"|"$/g, '')}"`
  if (op === 'is' || op === 'any_of') return `${name}:${list}`
  if (op === 'is_not' || op === 'none_of') return `-${name}:${list}`
  if (op === 'empty' || op === 'not_empty') return `${op === 'empty' ? '' : '-'}${name}:${NONE}`
  if (op === 'contains') return `${name}:~${list}`
  return `${name}:${op === 'after' ? '>' : '<'}${list}${op === 'within_days' ? 'd' : ''}`
}

/** A flag by its operator, such as `-is:blocked`. */
function flagText(field: string, isOn: boolean): string | undefined {
  const found = Object.entries(FLAGS).find(
    ([, flag]) => flag.field === field && String(flag.value) === 'true',
  )
  return found && `${isOn ? '' : '-'}${found[0]}`
}
