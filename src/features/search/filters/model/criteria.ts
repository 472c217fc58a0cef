import { gt, isNotNull, lt, not, type SQL } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { closestWord } from '../../../../kernel/validate.ts'
import { isBlocked, isBlocking } from '../../../tasks/relations/model/index.ts'
import { hasComments, hasPages } from '../../../tasks/states/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import { fieldFacets, isOverdueCondition, isSnoozedCondition, prBadge, status } from './choices.ts'
import {
  bareName,
  customFieldFacet,
  customFieldNames,
  findCustomFields,
  hasPrefix,
} from './custom.ts'
import {
  dueFacet,
  type Facet,
  type FilterContext,
  flagFacet,
  invalidFilter,
  momentFacet,
  never,
  type Scalar,
  textFacet,
} from './facets.ts'
import type { Links } from './links.ts'
import { assignee, creator, label, parent, section, ticket } from './references.ts'
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

/** One filter condition on a task. */
export interface Rule {
  field: string
  op: Op
  value?: unknown
}

const MAX_VALUES = 50
const MAX_DAYS = 3660
const MAX_TEXT = 500

/** The built-in fields. Boards add their custom fields, by name or field_id. */
const fields: Record<string, (request: FilterContext) => Facet> = {
  section,
  section_id: section,
  label,
  assignee,
  created_by: creator,
  parent,
  ticket_number: ticket,
  status,
  ...fieldFacets,
  title: () => textFacet(tasks.title),
  description: () => textFacet(tasks.description),
  due_date: dueFacet,
  created_at: (request) => momentFacet(request, tasks.created_at, 'back'),
  updated_at: (request) => momentFacet(request, tasks.updated_at, 'back'),
  completed_at: (request) => momentFacet(request, tasks.completed_at, 'back'),
  section_changed_at: (request) => momentFacet(request, tasks.section_changed_at, 'back'),
  last_comment_at: (request) => momentFacet(request, tasks.last_comment_at, 'back'),
  has_attachments: (request) => flagFacet(request, gt(tasks.attachment_count, 0)),
  has_comments: (request) => flagFacet(request, hasComments(tasks)),
  has_pages: (request) => flagFacet(request, hasPages(tasks)),
  has_due_date: (request) => flagFacet(request, isNotNull(tasks.due_at)),
  has_pr: prBadge,
  overdue: (request) => flagFacet(request, isOverdueCondition(request.ctx.now)),
  snoozed: (request) => flagFacet(request, isSnoozedCondition(request.ctx.now)),
  done: (request) => flagFacet(request, isNotNull(tasks.completed_at)),
  blocked: (request) => flagFacet(request, isBlocked(request.ctx.tx)),
  blocking: (request) => flagFacet(request, isBlocking(request.ctx.tx)),
}

export const FILTER_FIELDS: readonly string[] = Object.keys(fields)

/**
 * The SQL condition of a rule. It is never null, so it can be negated. Malformed rules throw a
 * fault that names `field`; an unknown reference matches no task and causes a warning.
 */
export async function ruleCondition(
  ctx: Context,
  scope: Scope,
  rule: Rule,
  field = 'filter',
): Promise<SQL> {
  const request = { ctx, scope, named: field }
  const facet = await facetOf(request, rule.field)
  if (!facet) throw await unknownField(request, rule.field)
  return conditionOf(request, facet, rule)
}

/** A rule with the input field that it comes from. */
export type NamedRule = [field: string, rule: Rule]

/** Resolves the first rule that selects linked tasks; `others` are the rest. */
export async function splitLinks(
  ctx: Context,
  scope: Scope,
  rules: readonly NamedRule[],
): Promise<{ links?: Links; others: readonly NamedRule[] }> {
  for (const [at, [named, { field, op, value }]] of rules.entries()) {
    const request = { ctx, scope, named }
    const facet = op === 'any_of' && Object.hasOwn(fields, field) && fields[field]!(request)
    const links = facet && (await facet.links?.(toScalars(request, value)))
    if (links) return { links, others: rules.toSpliced(at, 1) }
  }
  return { others: rules }
}

/** False for a custom field that does not exist or was deleted. */
export async function fieldExists(ctx: Context, scope: Scope, field: string): Promise<boolean> {
  return (await facetOf({ ctx, scope, named: field }, field)) !== undefined
}

/** The condition for a field in which no task has a value. */
export const conditionForMissingField = (op: Op): SQL =>
  op === 'empty' || op === 'is_not' || op === 'none_of' ? not(never) : never

async function facetOf(request: FilterContext, name: string): Promise<Facet | undefined> {
  if (!hasPrefix(name) && Object.hasOwn(fields, name)) return fields[name]!(request)
  const found = await findCustomFields(request.ctx, request.scope, name)
  return found.length ? customFieldFacet(request, found) : undefined
}

async function unknownField(request: FilterContext, name: string) {
  const customNames = await customFieldNames(request.ctx, request.scope)
  const known = hasPrefix(name) ? customNames : [...Object.keys(fields), ...customNames]
  const field = bareName(name)
  const suggestion = closestWord(field, known)
  const hint = suggestion
    ? `Did you mean ${suggestion}?`
    : `Known fields: ${known.join(', ') || 'none'}`
  const kind = hasPrefix(name) ? 'custom field' : 'field'
  const rule = `${field.slice(0, 100)} is not a ${kind} of these tasks`
  return invalidFilter(request, 'unknown_field', rule, field, hint)
}

type Condition = SQL | undefined
type ConditionBuilder = (
  facet: Facet,
  request: FilterContext,
  value: unknown,
) => Condition | Promise<Condition>

const isAny: ConditionBuilder = (facet, request, value) =>
  value === null ? facet.empty : facet.any?.([toScalar(request, value)])
const isOneOf: ConditionBuilder = (facet, request, value) => facet.any?.(toScalars(request, value))
const isEmpty: ConditionBuilder = (facet, request, value) =>
  facet.empty && withoutValue(request, value, facet.empty)
const negated =
  (build: ConditionBuilder): ConditionBuilder =>
  async (...args) => {
    const condition = await build(...args)
    return condition && not(condition)
  }

const conditionBuilders: Record<Op, ConditionBuilder> = {
  is: isAny,
  is_not: negated(isAny),
  any_of: isOneOf,
  none_of: negated(isOneOf),
  before: (facet, request, value) => facet.beyond?.(lt, toScalar(request, value)),
  after: (facet, request, value) => facet.beyond?.(gt, toScalar(request, value)),
  within_days: (facet, request, value) => facet.within?.(toDays(request, value)),
  empty: isEmpty,
  not_empty: negated(isEmpty),
  contains: (facet, request, value) => facet.contains?.(toText(request, value)),
}

async function conditionOf(
  request: FilterContext,
  facet: Facet,
  { field, op, value }: Rule,
): Promise<SQL> {
  if (!Object.hasOwn(conditionBuilders, op)) {
    const rule = `op must be one of ${OPS.join(', ')}`
    throw invalidFilter(
      request,
      'out_of_range',
      rule,
      op,
      `${field} takes ${opsOf(facet).join(', ')}`,
    )
  }
  const condition = await conditionBuilders[op](facet, request, value)
  if (condition) return condition
  const rule = `${field} does not support ${op}`
  throw invalidFilter(
    request,
    'out_of_range',
    rule,
    op,
    `${field} takes ${opsOf(facet).join(', ')}`,
  )
}

const opsOf = (facet: Facet): Op[] => [
  ...(facet.any ? (['is', 'is_not', 'any_of', 'none_of'] as const) : []),
  ...(facet.beyond ? (['before', 'after'] as const) : []),
  ...(facet.within ? (['within_days'] as const) : []),
  ...(facet.empty ? (['empty', 'not_empty'] as const) : []),
  ...(facet.contains ? (['contains'] as const) : []),
]

function toScalar(request: FilterContext, value: unknown): Scalar {
  if (value === undefined || value === null)
    throw invalidFilter(request, 'required', 'the rule needs a value', value)
  if (typeof value === 'string') return limitedText(request, value)
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
    return value
  throw invalidFilter(
    request,
    'invalid_type',
    'the value must be text, a number, true or false',
    value,
  )
}

function toScalars(request: FilterContext, value: unknown): Scalar[] {
  const values = Array.isArray(value) ? value : [value]
  if (values.length > MAX_VALUES)
    throw invalidFilter(request, 'too_long', `at most ${MAX_VALUES} values are allowed`, undefined)
  return values.map((item) => toScalar(request, item))
}

function toText(request: FilterContext, value: unknown): string {
  if (typeof value === 'string' && value.trim()) return limitedText(request, value)
  throw invalidFilter(request, 'invalid_type', 'the value must be text and not empty', value)
}

function limitedText(request: FilterContext, text: string): string {
  if (text.length <= MAX_TEXT) return text
  throw invalidFilter(
    request,
    'too_long',
    `the value must have at most ${MAX_TEXT} characters`,
    text,
  )
}

function toDays(request: FilterContext, value: unknown): number {
  const days = typeof value === 'string' && value.trim() ? Number(value) : value
  if (typeof days === 'number' && Number.isInteger(days) && Math.abs(days) <= MAX_DAYS) return days
  const rule = `the value must be a whole number of days, at most ${MAX_DAYS}`
  throw invalidFilter(
    request,
    'out_of_range',
    rule,
    value,
    'Negative days count in the other direction from today',
  )
}

function withoutValue(request: FilterContext, value: unknown, condition: SQL): SQL {
  if (value === undefined || value === null) return condition
  throw invalidFilter(request, 'conflict', 'empty and not_empty take no value', value)
}
