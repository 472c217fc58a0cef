import { and, eq, gt, isNotNull, isNull, lt, type SQL } from 'drizzle-orm'
import type { FieldCode } from '../../../../kernel/fault.ts'
import { foldName } from '../../../boards/projects/model/index.ts'
import {
  type Choices,
  choiceNumber,
  type Filter,
  fieldsWith,
} from '../../../tasks/fields/model/index.ts'
import { PR_BADGES, STATUSES } from '../../../tasks/states/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import {
  anyOf,
  choiceFacet,
  type Facet,
  type FilterContext,
  invalidFilter,
  momentFacet,
  type Scalar,
} from './facets.ts'

/** Filters by columns of the task itself. */

type FieldFilter = ReturnType<typeof fieldsWith<'filter'>>[number]
type FacetBuilder = (request: FilterContext) => Facet

/** Filters by the fields that `fields.ts` declares. */
export const fieldFacets: Record<string, FacetBuilder> = Object.fromEntries(
  fieldsWith('filter').flatMap((field) =>
    field.value.names.map((name): [string, FacetBuilder] => [
      name,
      (request) => fieldFacet(request, field),
    ]),
  ),
)

function fieldFacet(request: FilterContext, { name, noun, value: filter }: FieldFilter): Facet {
  const column = tasks[name]
  if (filter.kind === 'moment') return momentFacet(request, column, filter.toward)
  const read = (value: Scalar) => {
    const given = toNumber(value)
    const found = filter.kind === 'number' ? integerIn(given) : choiceIn(filter.choices, given)
    if (found !== undefined) return found
    throw invalidFilter(request, ...refusalOf(noun, filter, given), value)
  }
  const any = choiceFacet(column, read, eq(column, 0))
  if (filter.kind === 'choice') return any
  return { ...any, beyond: (comparison, value) => comparison(column, read(value)) }
}

/** In query text, numbers arrive as text. */
const toNumber = (value: Scalar) =>
  typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value

/** Undefined for a number that the column cannot hold. */
const integerIn = (value: Scalar) =>
  Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31 ? Number(value) : undefined

const choiceIn = ({ names }: Choices, value: Scalar) =>
  typeof value === 'boolean' ? undefined : choiceNumber(names, value)

function refusalOf(
  noun: string,
  filter: Exclude<Filter, { kind: 'moment' }>,
  given: Scalar,
): [code: FieldCode, rule: string] {
  if (filter.kind === 'number') return ['invalid_type', `the ${noun} must be a whole number`]
  const { choices, unknownWord } = filter
  const names = choices.names.flatMap((name, index) => (name ? `${index} ${name}` : []))
  const code = typeof given === 'number' ? 'out_of_range' : unknownWord
  return [code, `the ${noun} must be one of ${names.join(', ')}`]
}

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
