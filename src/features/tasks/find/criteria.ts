import { gt, isNotNull, lt, not, type SQL } from 'drizzle-orm'
import type { Context } from '../../../kernel/caller.ts'
import { nearest } from '../../../kernel/validate.ts'
import { tasks } from '../tables.ts'
import { hasPages } from '../waiting.ts'
import { isBlocked, isBlocking } from './blocked.ts'
import { bareName, custom, customNamed, customNames, isMarked } from './custom.ts'
import {
  type Asked,
  due,
  type Facet,
  flag,
  moments,
  never,
  type Scalar,
  words,
  wrong,
} from './facets.ts'
import { badge, estimate, overdue, priority, snoozed, status } from './marks.ts'
import { assignee, creator, label, parent, section, ticket } from './referents.ts'
import type { Scope } from './scope.ts'

export type { Scope } from './scope.ts'

export const OPS = [
  'is',
  'is_not',
  'any_of',
  'none_of',
  'before',
  'after',
  'within_days',
  'empty',
  'not_empty',
  'contains',
] as const
export type Op = (typeof OPS)[number]

/** One thing that is asked of a task. */
export interface Rule {
  field: string
  op: Op
  value?: unknown
}

const MOST_VALUES = 50
const MOST_DAYS = 3660
const MOST_TEXT = 500

/** The fields of every task; a board adds its custom fields, by name or field_id. */
const fields: Record<string, (asked: Asked) => Facet> = {
  section,
  section_id: section,
  label,
  assignee,
  created_by: creator,
  parent,
  ticket_number: ticket,
  status,
  priority,
  size: estimate,
  estimate,
  title: () => words(tasks.title),
  description: () => words(tasks.description),
  due_date: due,
  start_date: (asked) => moments(asked, tasks.start_date, 'ahead'),
  created_at: (asked) => moments(asked, tasks.created_at, 'back'),
  updated_at: (asked) => moments(asked, tasks.updated_at, 'back'),
  completed_at: (asked) => moments(asked, tasks.completed_at, 'back'),
  section_changed_at: (asked) => moments(asked, tasks.section_changed_at, 'back'),
  last_comment_at: (asked) => moments(asked, tasks.last_comment_at, 'back'),
  has_attachments: (asked) => flag(asked, gt(tasks.attachment_count, 0)),
  has_comments: (asked) => flag(asked, gt(tasks.comment_count, 0)),
  has_pages: (asked) => flag(asked, hasPages(tasks)),
  has_due_date: (asked) => flag(asked, isNotNull(tasks.due_at)),
  has_pr: badge,
  overdue: (asked) => flag(asked, overdue(asked.ctx.now)),
  snoozed: (asked) => flag(asked, snoozed(asked.ctx.now)),
  done: (asked) => flag(asked, isNotNull(tasks.completed_at)),
  blocked: (asked) => flag(asked, isBlocked(asked.ctx.tx)),
  blocking: (asked) => flag(asked, isBlocking(asked.ctx.tx)),
}

/**
 * What the database is asked for a rule. It is never null, so it may be turned round. Whatever is
 * malformed is a fault that names `named`; a name of nothing fits no task, and is warned of.
 */
export async function criterion(
  ctx: Context,
  scope: Scope,
  rule: Rule,
  named = 'filter',
): Promise<SQL> {
  const asked = { ctx, scope, named }
  const facet = await facetOf(asked, rule.field)
  if (!facet) throw await unknownField(asked, rule.field)
  return conditionOf(asked, facet, rule)
}

/** False for a custom field that is gone, or was never there. */
export async function isField(ctx: Context, scope: Scope, field: string): Promise<boolean> {
  return (await facetOf({ ctx, scope, named: field }, field)) !== undefined
}

/** The answer that a field gives which no task has. */
export const ofNothing = (op: Op): SQL =>
  op === 'empty' || op === 'is_not' || op === 'none_of' ? not(never) : never

async function facetOf(asked: Asked, name: string): Promise<Facet | undefined> {
  if (!isMarked(name) && Object.hasOwn(fields, name)) return fields[name]!(asked)
  const found = await customNamed(asked.ctx, asked.scope, name)
  return found.length ? custom(asked, found) : undefined
}

async function unknownField(asked: Asked, given: string) {
  const customs = await customNames(asked.ctx, asked.scope)
  const known = isMarked(given) ? customs : [...Object.keys(fields), ...customs]
  const field = bareName(given)
  const near = nearest(field, known)
  const hint = near ? `Did you mean ${near}?` : `Known fields: ${known.join(', ') || 'none'}`
  const kind = isMarked(given) ? 'custom field' : 'field'
  const rule = `${field.slice(0, 100)} is no ${kind} of these tasks`
  return wrong(asked, 'unknown_field', rule, field, hint)
}

type Answer = SQL | undefined
type Ask = (facet: Facet, asked: Asked, value: unknown) => Answer | Promise<Answer>

const isAny: Ask = (facet, asked, value) =>
  value === null ? facet.empty : facet.any?.([scalar(asked, value)])
const isOneOf: Ask = (facet, asked, value) => facet.any?.(scalars(asked, value))
const isEmpty: Ask = (facet, asked, value) => facet.empty && nothing(asked, value, facet.empty)
const turned =
  (ask: Ask): Ask =>
  async (...of) => {
    const condition = await ask(...of)
    return condition && not(condition)
  }

const asks: Record<Op, Ask> = {
  is: isAny,
  is_not: turned(isAny),
  any_of: isOneOf,
  none_of: turned(isOneOf),
  before: (facet, asked, value) => facet.beyond?.(lt, scalar(asked, value)),
  after: (facet, asked, value) => facet.beyond?.(gt, scalar(asked, value)),
  within_days: (facet, asked, value) => facet.within?.(daysIn(asked, value)),
  empty: isEmpty,
  not_empty: turned(isEmpty),
  contains: (facet, asked, value) => facet.contains?.(textIn(asked, value)),
}

async function conditionOf(asked: Asked, facet: Facet, { field, op, value }: Rule): Promise<SQL> {
  if (!Object.hasOwn(asks, op)) {
    const known = `op must be one of ${OPS.join(', ')}`
    throw wrong(asked, 'out_of_range', known, op, `${field} takes ${opsOf(facet).join(', ')}`)
  }
  const condition = await asks[op](facet, asked, value)
  if (condition) return condition
  const rule = `${field} cannot be asked with ${op}`
  throw wrong(asked, 'out_of_range', rule, op, `${field} takes ${opsOf(facet).join(', ')}`)
}

const opsOf = (facet: Facet): Op[] => [
  ...(facet.any ? (['is', 'is_not', 'any_of', 'none_of'] as const) : []),
  ...(facet.beyond ? (['before', 'after'] as const) : []),
  ...(facet.within ? (['within_days'] as const) : []),
  ...(facet.empty ? (['empty', 'not_empty'] as const) : []),
  ...(facet.contains ? (['contains'] as const) : []),
]

function scalar(asked: Asked, value: unknown): Scalar {
  if (value === undefined || value === null)
    throw wrong(asked, 'required', 'the rule needs a value', value)
  if (typeof value === 'string') return short(asked, value)
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
    return value
  throw wrong(asked, 'invalid_type', 'the value must be a text, a number, true or false', value)
}

function scalars(asked: Asked, value: unknown): Scalar[] {
  const all = Array.isArray(value) ? value : [value]
  if (all.length > MOST_VALUES)
    throw wrong(asked, 'too_long', `there can be at most ${MOST_VALUES} values`, undefined)
  return all.map((one) => scalar(asked, one))
}

function textIn(asked: Asked, value: unknown): string {
  if (typeof value === 'string' && value.trim()) return short(asked, value)
  throw wrong(asked, 'invalid_type', 'the value must be a text that is not empty', value)
}

function short(asked: Asked, text: string): string {
  if (text.length <= MOST_TEXT) return text
  throw wrong(asked, 'too_long', `the value must have at most ${MOST_TEXT} characters`, text)
}

function daysIn(asked: Asked, value: unknown): number {
  const days = typeof value === 'string' && value.trim() ? Number(value) : value
  if (typeof days === 'number' && Number.isInteger(days) && Math.abs(days) <= MOST_DAYS) return days
  const rule = `the value must be a whole number of days, ${MOST_DAYS} at most`
  throw wrong(asked, 'out_of_range', rule, value, 'Negative days lie on the other side of today')
}

function nothing(asked: Asked, value: unknown, condition: SQL): SQL {
  if (value === undefined || value === null) return condition
  throw wrong(asked, 'conflict', 'empty and not_empty take no value', value)
}
