import { and, eq, inArray, not, type SQL } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { closestWord } from '../../../../kernel/validate.ts'
import type { OperatorFilter, Query } from '../../../../search/query/query.ts'
import { foldName, projects, visibleProjects } from '../../../boards/projects/model/index.ts'
import { fieldsWith } from '../../../tasks/fields/model/index.ts'
import type { Status } from '../../../tasks/states/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import { type Rule, ruleCondition } from './criteria.ts'
import {
  anyOf,
  dayRelativeToToday,
  type FilterContext,
  invalidFilter,
  signedOffset,
} from './facets.ts'

const isTrue = (field: string): Rule[] => [{ field, op: 'is', value: true }]

const IS_VALUES: Record<string, Rule[]> = {
  open: [{ field: 'done', op: 'is', value: false }],
  done: isTrue('done'),
  archived: [{ field: 'status', op: 'is', value: 'Archive' }],
  overdue: isTrue('overdue'),
  blocked: isTrue('blocked'),
  blocking: isTrue('blocking'),
  snoozed: isTrue('snoozed'),
}

const HAS_VALUES: Record<string, Rule[]> = {
  due: isTrue('has_due_date'),
  pr: isTrue('has_pr'),
  attachment: isTrue('has_attachments'),
  comment: isTrue('has_comments'),
  page: isTrue('has_pages'),
}

type OperatorParser = (request: FilterContext, value: string) => Rule[]

/** The operators of the fields that `fields.ts` declares. */
const fieldOperators: Record<string, OperatorParser> = Object.fromEntries(
  fieldsWith('operator').flatMap(({ filter }): [string, OperatorParser][] => {
    if (typeof filter === 'string') return []
    const [field] = filter.names
    if (filter.kind !== 'number') return [[field, (_, value) => [{ field, op: 'is', value }]]]
    return [[field, (_, value) => numberRules(field, value)]]
  }),
)

/** The search operators. A task must match any of the returned rules. */
const OPERATORS: Record<string, OperatorParser> = {
  is: (request, value) => knownRules(request, 'is', IS_VALUES, value),
  has: (request, value) => knownRules(request, 'has', HAS_VALUES, value),
  assignee: (_, value) => [{ field: 'assignee', op: 'is', value }],
  by: (_, value) => [{ field: 'created_by', op: 'is', value }],
  label: (_, value) => isOrEmpty('label', value),
  section: (_, value) => [{ field: 'section', op: 'is', value }],
  ...fieldOperators,
  due: dueRules,
  created: (request, value) => pastRules(request, 'created_at', value),
  updated: (request, value) => pastRules(request, 'updated_at', value),
  completed: (request, value) => pastRules(request, 'completed_at', value),
  moved: (request, value) => pastRules(request, 'section_changed_at', value),
  commented: (request, value) => pastRules(request, 'last_comment_at', value),
}
const BOARD = 'board'

export const fieldOperatorNames = Object.keys(fieldOperators)

export const OPERATOR_NAMES: readonly string[] = [...Object.keys(OPERATORS), BOARD]

function knownRules(
  request: FilterContext,
  name: string,
  rules: Record<string, Rule[]>,
  value: string,
): Rule[] {
  const word = foldName(value)
  if (Object.hasOwn(rules, word)) return rules[word]!
  const names = Object.keys(rules)
  const suggestion = closestWord(word, names)
  const hint = `${suggestion ? `Did you mean ${name}:${suggestion}? ` : ''}Available: ${names.join(', ')}`
  throw invalidFilter(
    request,
    'out_of_range',
    `there is no ${name}:${word.slice(0, 50)}`,
    value,
    hint,
  )
}

const isOrEmpty = (field: string, value: string): Rule[] => [
  foldName(value) === 'none' ? { field, op: 'empty' } : { field, op: 'is', value },
]

const COMPARISON = /^(<=|>=|<|>)?\s*(.+)$/
const SPAN = /^(\d{1,4})([dwmy])$/
const DAYS: Record<string, number> = { d: 1, w: 7, m: 30, y: 365 }
const WEEK = 6

/** The day that `+7d` or `-2w` means. */
function signedDay(request: FilterContext, value: string): string | undefined {
  const offset = signedOffset(value)
  return offset === undefined ? undefined : dayRelativeToToday(request, offset)
}

function parseSpan(value: string): number | undefined {
  const [, count, unit] = SPAN.exec(value) ?? []
  return count === undefined ? undefined : Number(count) * DAYS[unit!]!
}

/**
 * Supports `due:<=2026-12-01`, `due:today`, `due:week`, `due:<7d` (within seven days), `due:none`,
 * `due:<=+7d`.
 */
function dueRules(request: FilterContext, value: string): Rule[] {
  const word = foldName(value)
  if (word === 'overdue') return isTrue('overdue')
  if (word === 'none') return [{ field: 'due_date', op: 'empty' }]
  if (word === 'week') return [{ field: 'due_date', op: 'within_days', value: WEEK }]
  const [, sign = '', operand = ''] = COMPARISON.exec(word) ?? []
  const day = signedDay(request, operand)
  if (day !== undefined) return comparisonRules('due_date', sign, day)
  const days = parseSpan(operand)
  if (days === undefined) return dateRules('due_date', sign, operand)
  if (!sign.startsWith('>')) return [{ field: 'due_date', op: 'within_days', value: days }]
  return [{ field: 'due_date', op: 'after', value: dayRelativeToToday(request, days) }]
}

/**
 * `created:>7d` means more than seven days ago, `created:<7d` at most that long ago, and
 * `created:<-7d` before the day a week ago.
 */
function pastRules(request: FilterContext, field: string, value: string): Rule[] {
  const word = foldName(value)
  if (word === 'week') return [{ field, op: 'within_days', value: WEEK }]
  const [, sign = '', rest = ''] = COMPARISON.exec(word) ?? []
  const day = signedDay(request, rest)
  if (day !== undefined) return comparisonRules(field, sign, day)
  const days = parseSpan(rest)
  if (days === undefined) return dateRules(field, sign, rest)
  if (!sign.startsWith('>')) return [{ field, op: 'within_days', value: days }]
  return [{ field, op: 'before', value: dayRelativeToToday(request, -days) }]
}

/** Supports `points:8` and `points:>=8`. */
function numberRules(field: string, value: string): Rule[] {
  const [, sign = '', operand = ''] = COMPARISON.exec(value) ?? []
  return comparisonRules(field, sign, operand)
}

// Folding made the T and the Z of a moment lower case.
const dateRules = (field: string, sign: string, date: string) =>
  comparisonRules(field, sign, /^\d/.test(date) ? date.toUpperCase() : date)

function comparisonRules(field: string, sign: string, value: string): Rule[] {
  const on: Rule = { field, op: 'is', value }
  if (!sign) return [on]
  const beyond: Rule = { field, op: sign.startsWith('<') ? 'before' : 'after', value }
  return sign.endsWith('=') ? [beyond, on] : [beyond]
}

/** The SQL conditions of the operators of a query, one per clause. */
export async function operatorConditions(
  request: FilterContext,
  { filters: asks }: Query,
  boards: BoardsByName,
): Promise<SQL[]> {
  const conditions: SQL[] = []
  for (const clause of asks) {
    const alternatives: SQL[] = []
    for (const ask of clause) alternatives.push(await askCondition(request, ask, boards))
    conditions.push(anyOf(alternatives))
  }
  return conditions
}

async function askCondition(
  request: FilterContext,
  ask: OperatorFilter,
  boards: BoardsByName,
): Promise<SQL> {
  const { operator, values } = ask
  const any: SQL[] = []
  for (const value of values)
    if (operator === BOARD) any.push(inArray(tasks.project_id, boards.get(foldName(value)) ?? []))
    else
      for (const rule of OPERATORS[operator]!(request, value))
        any.push(await ruleCondition(request.ctx, request.scope, rule, request.named))
  return ask.not ? not(anyOf(any)) : anyOf(any)
}

/** The statuses that the query selects; used if the filters name none. */
export function statusesOf({ filters: asks }: Query): Status[] {
  const isArchived = ({ operator, values }: OperatorFilter) =>
    operator === 'is' && values.some((value) => foldName(value) === 'archived')
  const clauses = asks.filter((clause) => clause.some((ask) => isArchived(ask) && !ask.not))
  if (!clauses.length) return ['Normal']
  return clauses.some(
    (clause) => clause.every(({ values }) => values.length === 1) && clause.length === 1,
  )
    ? ['Archive']
    : ['Normal', 'Archive']
}

export type BoardsByName = ReadonlyMap<string, number[]>

/** The visible boards that `board:` names, by title or key. */
export async function findNamedBoards(
  { ctx, named }: FilterContext,
  { filters: asks }: Query,
): Promise<BoardsByName> {
  const boardAsks = asks.flat().filter(({ operator }) => operator === BOARD)
  const names = new Set(boardAsks.flatMap(({ values }) => values.map(foldName)))
  if (!names.size) return new Map()
  const visibleBoards = await selectVisibleBoards(ctx)
  const found = new Map<string, number[]>()
  for (const name of names) {
    const matches = visibleBoards.filter(
      ({ title, key }) => foldName(title) === name || foldName(key) === name,
    )
    found.set(
      name,
      matches.map(({ project_id }) => project_id),
    )
    if (!matches.length)
      ctx.warn(
        named,
        'not_found',
        `There is no board with the title or key ${name} that you can see`,
      )
  }
  return found
}

const selectVisibleBoards = (ctx: Context) =>
  ctx.tx
    .select({ project_id: projects.project_id, title: projects.title, key: projects.key })
    .from(projects)
    .where(and(visibleProjects(ctx), eq(projects.status, 'Normal')))

/** The boards that a positive `board:` clause requires; undefined without one. */
export function requiredBoards(
  { filters: asks }: Query,
  boards: BoardsByName,
): number[] | undefined {
  const boardAsk = asks.find(
    ([ask, ...others]) => !others.length && ask?.operator === BOARD && !ask.not,
  )
  return boardAsk?.flatMap(({ values }) =>
    values.flatMap((value) => boards.get(foldName(value)) ?? []),
  )
}
