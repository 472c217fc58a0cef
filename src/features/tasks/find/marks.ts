import { and, eq, gt, isNotNull, isNull, lt, type SQL } from 'drizzle-orm'
import { folded } from '../../projects/index.ts'
import { estimateCalled, PR_BADGES, PRIORITIES, priorityOf, SIZES, STATUSES } from '../rules.ts'
import { tasks } from '../tables.ts'
import { type Asked, anyOf, choice, type Facet, type Scalar, wrong } from './facets.ts'

/** Fields that have one of a few values. */

/** A query is text, and its numbers with it. */
const numbered = (given: Scalar) =>
  typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given

export const priority = (asked: Asked): Facet =>
  choice(
    tasks.priority,
    (given) => {
      const asNumber = numbered(given)
      const found = typeof asNumber === 'boolean' ? undefined : priorityOf(asNumber)
      if (found !== undefined) return found
      const names = PRIORITIES.map((name, index) => `${index} ${name}`).join(', ')
      const code = typeof asNumber === 'number' ? 'out_of_range' : 'invalid_type'
      throw wrong(asked, code, `a priority is one of ${names}`, given)
    },
    eq(tasks.priority, 0),
  )

export const estimate = (asked: Asked): Facet =>
  choice(
    tasks.estimate,
    (given) => {
      const asNumber = numbered(given)
      const found = typeof asNumber === 'boolean' ? undefined : estimateCalled(asNumber)
      if (found !== undefined) return found
      const names = SIZES.flatMap((name, index) => (name ? `${index} ${name}` : [])).join(', ')
      throw wrong(asked, 'out_of_range', `a size is one of ${names}`, given)
    },
    eq(tasks.estimate, 0),
  )

export const status = (asked: Asked): Facet =>
  choice(tasks.status, (given) => {
    const found = STATUSES.find((one) => folded(one) === folded(String(given)))
    if (found) return found
    throw wrong(asked, 'out_of_range', `a status is one of ${STATUSES.join(', ')}`, given)
  })

/** Whether it has pull requests, or how they stand. */
export function badge(asked: Asked): Facet {
  const is = (given: Scalar): SQL => {
    const word = folded(String(given))
    if (word === 'true') return isNotNull(tasks.pr_badge)
    if (word === 'false') return isNull(tasks.pr_badge)
    const found = PR_BADGES.find((one) => one === word)
    if (found) return and(isNotNull(tasks.pr_badge), eq(tasks.pr_badge, found))!
    const rule = `the value must be one of true, false, ${PR_BADGES.join(', ')}`
    throw wrong(asked, 'out_of_range', rule, given)
  }
  return { any: (values) => anyOf(values.map(is)) }
}

/** What `isSnoozed` says of a row, said to the database. */
export const snoozed = (now: Date): SQL =>
  and(isNotNull(tasks.snoozed_until), gt(tasks.snoozed_until, now))!

/** What `isOverdue` says of a row, said to the database. */
export const overdue = (now: Date): SQL =>
  and(
    eq(tasks.status, 'Normal'),
    isNull(tasks.completed_at),
    isNotNull(tasks.due_at),
    lt(tasks.due_at, now),
  )!
