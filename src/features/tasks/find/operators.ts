import { and, eq, inArray, not, type SQL } from 'drizzle-orm'
import type { Context } from '../../../kernel/caller.ts'
import { nearest } from '../../../kernel/validate.ts'
import type { Ask, Query } from '../../../search/query.ts'
import { folded, projects, visibleProjects } from '../../projects/index.ts'
import type { Status } from '../rules.ts'
import { tasks } from '../tables.ts'
import { criterion, type Rule } from './criteria.ts'
import { type Asked, anyOf, dayFrom, wrong } from './facets.ts'

const yes = (field: string): Rule[] => [{ field, op: 'is', value: true }]

const STATES: Record<string, Rule[]> = {
  open: [{ field: 'done', op: 'is', value: false }],
  done: yes('done'),
  archived: [{ field: 'status', op: 'is', value: 'Archive' }],
  overdue: yes('overdue'),
  blocked: yes('blocked'),
  blocking: yes('blocking'),
  snoozed: yes('snoozed'),
}

const HAVING: Record<string, Rule[]> = {
  due: yes('has_due_date'),
  pr: yes('has_pr'),
  attachment: yes('has_attachments'),
  comment: yes('has_comments'),
  page: yes('has_pages'),
}

type Read = (asked: Asked, value: string) => Rule[]

/** Each operator of a search box, and the rules any of which a task must fit. */
const OPERATORS: Record<string, Read> = {
  is: (asked, value) => known(asked, 'is', STATES, value),
  has: (asked, value) => known(asked, 'has', HAVING, value),
  assignee: (_, value) => [{ field: 'assignee', op: 'is', value }],
  by: (_, value) => [{ field: 'created_by', op: 'is', value }],
  label: (_, value) => orEmpty('label', value),
  section: (_, value) => [{ field: 'section', op: 'is', value }],
  priority: (_, value) => [{ field: 'priority', op: 'is', value }],
  size: (_, value) => [{ field: 'size', op: 'is', value }],
  due: dueIs,
  created: (asked, value) => pastIs(asked, 'created_at', value),
  updated: (asked, value) => pastIs(asked, 'updated_at', value),
}
const BOARD = 'board'

export const OPERATOR_NAMES: readonly string[] = [...Object.keys(OPERATORS), BOARD]

function known(asked: Asked, name: string, rules: Record<string, Rule[]>, value: string): Rule[] {
  const word = folded(value)
  if (Object.hasOwn(rules, word)) return rules[word]!
  const names = Object.keys(rules)
  const near = nearest(word, names)
  const hint = `${near ? `Did you mean ${name}:${near}? ` : ''}There are ${names.join(', ')}`
  throw wrong(asked, 'out_of_range', `there is no ${name}:${word.slice(0, 50)}`, value, hint)
}

const orEmpty = (field: string, value: string): Rule[] => [
  folded(value) === 'none' ? { field, op: 'empty' } : { field, op: 'is', value },
]

const COMPARED = /^(<=|>=|<|>)?\s*(.+)$/
const SPAN = /^(\d{1,4})([dwmy])$/
const DAYS: Record<string, number> = { d: 1, w: 7, m: 30, y: 365 }
const WEEK = 6

function spanOf(value: string): number | undefined {
  const [, many, unit] = SPAN.exec(value) ?? []
  return many === undefined ? undefined : Number(many) * DAYS[unit!]!
}

/** `due:<=2026-12-01`, `due:today`, `due:week`, `due:<7d` (within seven days), `due:none`. */
function dueIs(asked: Asked, value: string): Rule[] {
  const word = folded(value)
  if (word === 'overdue') return yes('overdue')
  if (word === 'none') return [{ field: 'due_date', op: 'empty' }]
  if (word === 'week') return [{ field: 'due_date', op: 'within_days', value: WEEK }]
  const [, sign = '', rest = ''] = COMPARED.exec(word) ?? []
  const days = spanOf(rest)
  if (days === undefined) return dated('due_date', sign, rest)
  if (!sign.startsWith('>')) return [{ field: 'due_date', op: 'within_days', value: days }]
  return [{ field: 'due_date', op: 'after', value: dayFrom(asked, days) }]
}

/** `created:>7d` is longer ago than seven days, `created:<7d` no longer. */
function pastIs(asked: Asked, field: string, value: string): Rule[] {
  const word = folded(value)
  if (word === 'week') return [{ field, op: 'within_days', value: WEEK }]
  const [, sign = '', rest = ''] = COMPARED.exec(word) ?? []
  const days = spanOf(rest)
  if (days === undefined) return dated(field, sign, rest)
  if (!sign.startsWith('>')) return [{ field, op: 'within_days', value: days }]
  return [{ field, op: 'before', value: dayFrom(asked, -days) }]
}

function dated(field: string, sign: string, date: string): Rule[] {
  // Folding took the T and the Z of a moment.
  const value = /^\d/.test(date) ? date.toUpperCase() : date
  const on: Rule = { field, op: 'is', value }
  if (!sign) return [on]
  const beyond: Rule = { field, op: sign.startsWith('<') ? 'before' : 'after', value }
  return sign.endsWith('=') ? [beyond, on] : [beyond]
}

/** What the operators of a query ask of the database, clause by clause. */
export async function conditionsOf(
  asked: Asked,
  { asks }: Query,
  boards: BoardsByName,
): Promise<SQL[]> {
  const conditions: SQL[] = []
  for (const clause of asks) {
    const any: SQL[] = []
    for (const ask of clause) any.push(await conditionOf(asked, ask, boards))
    conditions.push(anyOf(any))
  }
  return conditions
}

async function conditionOf(asked: Asked, ask: Ask, boards: BoardsByName): Promise<SQL> {
  const { operator, values } = ask
  const any: SQL[] = []
  for (const value of values)
    if (operator === BOARD) any.push(inArray(tasks.project_id, boards.get(folded(value)) ?? []))
    else
      for (const rule of OPERATORS[operator]!(asked, value))
        any.push(await criterion(asked.ctx, asked.scope, rule, asked.named))
  return ask.not ? not(anyOf(any)) : anyOf(any)
}

/** The statuses that a query is about, unless the list was asked for another. */
export function statusesOf({ asks }: Query): Status[] {
  const isArchived = ({ operator, values }: Ask) =>
    operator === 'is' && values.some((value) => folded(value) === 'archived')
  const clauses = asks.filter((clause) => clause.some((ask) => isArchived(ask) && !ask.not))
  if (!clauses.length) return ['Normal']
  return clauses.some(
    (clause) => clause.every(({ values }) => values.length === 1) && clause.length === 1,
  )
    ? ['Archive']
    : ['Normal', 'Archive']
}

export type BoardsByName = ReadonlyMap<string, number[]>

/** The boards that `board:` names, by title or key, among those that the caller can see. */
export async function boardsNamed({ ctx, named }: Asked, { asks }: Query): Promise<BoardsByName> {
  const meant = asks.flat().filter(({ operator }) => operator === BOARD)
  const names = new Set(meant.flatMap(({ values }) => values.map(folded)))
  if (!names.size) return new Map()
  const seen = await visible(ctx)
  const found = new Map<string, number[]>()
  for (const name of names) {
    const fits = seen.filter(({ title, key }) => folded(title) === name || folded(key) === name)
    found.set(
      name,
      fits.map(({ project_id }) => project_id),
    )
    if (!fits.length)
      ctx.warn(named, 'not_found', `You can see no board with the title or key ${name}`)
  }
  return found
}

const visible = (ctx: Context) =>
  ctx.tx
    .select({ project_id: projects.project_id, title: projects.title, key: projects.key })
    .from(projects)
    .where(and(visibleProjects(ctx), eq(projects.status, 'Normal')))

/** The boards that tasks must be on, where the query says so. */
export function boardsMeant({ asks }: Query, boards: BoardsByName): number[] | undefined {
  const only = asks.find(
    ([ask, ...others]) => !others.length && ask?.operator === BOARD && !ask.not,
  )
  return only?.flatMap(({ values }) => values.flatMap((value) => boards.get(folded(value)) ?? []))
}
