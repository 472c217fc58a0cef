import { and, eq, gt, isNotNull, isNull, lt, type SQL } from 'drizzle-orm'
import { foldName } from '../../projects/index.ts'
import { PR_BADGES, PRIORITIES, priorityNumber, SIZES, STATUSES, sizeNumber } from '../rules.ts'
import { tasks } from '../tables.ts'
import {
  anyOf,
  choiceFacet,
  type Facet,
  type FilterContext,
  invalidFilter,
  type Scalar,
} from './facets.ts'

/** Filters by fields with a fixed set of values. */

/** In query text, numbers arrive as text. */
const toNumber = (value: Scalar) =>
  typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value

export const priority = (request: FilterContext): Facet =>
  choiceFacet(
    tasks.priority,
    (value) => {
      const asNumber = toNumber(value)
      const found = typeof asNumber === 'boolean' ? undefined : priorityNumber(asNumber)
      if (found !== undefined) return found
      const names = PRIORITIES.map((name, index) => `${index} ${name}`).join(', ')
      const code = typeof asNumber === 'number' ? 'out_of_range' : 'invalid_type'
      throw invalidFilter(request, code, `the priority must be one of ${names}`, value)
    },
    eq(tasks.priority, 0),
  )

export const estimate = (request: FilterContext): Facet =>
  choiceFacet(
    tasks.estimate,
    (value) => {
      const asNumber = toNumber(value)
      const found = typeof asNumber === 'boolean' ? undefined : sizeNumber(asNumber)
      if (found !== undefined) return found
      const names = SIZES.flatMap((name, index) => (name ? `${index} ${name}` : [])).join(', ')
      throw invalidFilter(request, 'out_of_range', `the size must be one of ${names}`, value)
    },
    eq(tasks.estimate, 0),
  )

export const status = (request: FilterContext): Facet =>
  choiceFacet(tasks.status, (value) => {
    const found = STATUSES.find((status) => foldName(status) === foldName(String(value)))
    if (found) return found
    throw invalidFilter(
      request,
      'out_of_range',
      `the status must be one of ${STATUSES.join(', ')}`,
      value,
    )
  })

/** Matches tasks with or without pull requests, or with a state of them. */
export function prBadge(request: FilterContext): Facet {
  const badgeCondition = (value: Scalar): SQL => {
    const word = foldName(String(value))
    if (word === 'true') return isNotNull(tasks.pr_badge)
    if (word === 'false') return isNull(tasks.pr_badge)
    const found = PR_BADGES.find((badge) => badge === word)
    if (found) return and(isNotNull(tasks.pr_badge), eq(tasks.pr_badge, found))!
    const rule = `the value must be one of true, false, ${PR_BADGES.join(', ')}`
    throw invalidFilter(request, 'out_of_range', rule, value)
  }
  return { any: (values) => anyOf(values.map(badgeCondition)) }
}

/** The SQL form of `isSnoozed`. */
export const isSnoozedCondition = (now: Date): SQL =>
  and(isNotNull(tasks.snoozed_until), gt(tasks.snoozed_until, now))!

/** The SQL form of `isOverdue`. */
export const isOverdueCondition = (now: Date): SQL =>
  and(
    eq(tasks.status, 'Normal'),
    isNull(tasks.completed_at),
    isNotNull(tasks.due_at),
    lt(tasks.due_at, now),
  )!
