import { and, eq, gt, inArray, isNotNull, isNull, lt, not, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn as Column } from 'drizzle-orm/pg-core'
import type { Context } from '../../../../kernel/caller.ts'
import { type FieldCode, fault } from '../../../../kernel/fault.ts'
import { contains, equalsIgnoringCase } from '../../../../store/text.ts'
import { foldName } from '../../../boards/projects/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import { isDay, parseDate, startOf } from '../../../time/dates/model/index.ts'
import type { Links } from './links.ts'
import type { Scope } from './scope.ts'

export type Scalar = string | number | boolean
export type Comparison = typeof gt

/** The conditions that a field supports. None is ever null, so that each can be negated. */
export interface Facet {
  any?(values: readonly Scalar[]): SQL | Promise<SQL>
  /** The rows that link the matching tasks to these values; undefined if some have no row. */
  links?(values: readonly Scalar[]): Promise<Links | undefined>
  empty?: SQL
  beyond?(way: Comparison, value: Scalar): SQL
  within?(days: number): SQL
  contains?(text: string): SQL
}

export interface FilterContext {
  ctx: Context
  scope: Scope
  /** The input field, for faults and warnings. */
  named: string
}

export const never = sql`1 = 0`
export const anyOf = (conditions: readonly SQL[]): SQL => or(...conditions) ?? never

export const invalidFilter = (
  { named }: Pick<FilterContext, 'named'>,
  code: FieldCode,
  rule: string,
  value: unknown,
  hint?: string,
) => fault.invalid(named, code, `${named}: ${rule}`, value, hint)

/** A field with a fixed set of values; `isEmpty` selects those that mean no value. */
export const choiceFacet = <V extends string | number>(
  column: Column,
  read: (value: Scalar) => V,
  isEmpty?: SQL,
): Facet => ({
  any: (values) => {
    const parsed = values.map(read)
    return parsed.length ? and(presenceOf(column), inArray(column, parsed))! : never
  },
  ...(isEmpty && { empty: isEmpty }),
})

export function flagFacet(request: FilterContext, condition: SQL): Facet {
  return {
    any: (values) =>
      anyOf(values.map((value) => (toBoolean(request, value) ? condition : not(condition)))),
  }
}

/** In query text and URLs, booleans arrive as words. */
export function toBoolean(request: FilterContext, value: Scalar): boolean {
  const word = foldName(String(value))
  if (word === 'true' || word === 'false') return word === 'true'
  throw invalidFilter(request, 'invalid_type', 'the value must be true or false', value)
}

export function textFacet(column: Column): Facet {
  const isPresent = presenceOf(column)
  return {
    any: (values) =>
      anyOf(values.map((value) => and(isPresent, equalsIgnoringCase(column, String(value)))!)),
    contains: (text) => and(isPresent, contains(column, text))!,
    ...(isPresent && { empty: isNull(column) }),
  }
}

const presenceOf = (column: Column) => (column.notNull ? undefined : isNotNull(column))

/** The direction of `within_days`: into the future or into the past. */
export type Direction = 'ahead' | 'back'

export function momentFacet(request: FilterContext, column: Column, toward: Direction): Facet {
  const beyond = (comparison: Comparison, date: string) =>
    comparison(column, boundary(request, comparison, date))
  return dateFacet(request, presenceOf(column), toward, beyond)
}

/** Days are compared with days, so that the task's time zone does not shift it to another day. */
export function dueFacet(request: FilterContext): Facet {
  const isDate = eq(sql`length(${tasks.due_date})`, 10)
  return dateFacet(request, isNotNull(tasks.due_at), 'ahead', (comparison, date) => {
    const edge = boundary(request, comparison, date)
    if (!isDay(date)) return comparison(tasks.due_at, edge)
    return or(
      and(isDate, comparison(tasks.due_date, date)),
      and(not(isDate), comparison(tasks.due_at, edge)),
    )!
  })
}

/** A field with days and no times. */
export function dayFacet(request: FilterContext, column: Column): Facet {
  const beyond = (comparison: Comparison, date: string) => {
    if (isDay(date)) return comparison(column, date)
    throw invalidFilter(
      request,
      'invalid_format',
      'the value must be a date without a time',
      date,
      'For example 2026-12-01',
    )
  }
  return dateFacet(request, isNotNull(column), 'ahead', beyond)
}

function dateFacet(
  request: FilterContext,
  isPresent: SQL | undefined,
  toward: Direction,
  beyond: (way: Comparison, date: string) => SQL,
): Facet {
  const between = (first: string, last: string) =>
    and(isPresent, not(beyond(lt, first)), not(beyond(gt, last)))!
  return {
    any: (values) =>
      anyOf(values.map((value) => toDate(request, value)).map((date) => between(date, date))),
    beyond: (comparison, value) => and(isPresent, beyond(comparison, toDate(request, value)))!,
    within: (days) => {
      const [first, last] = [0, toward === 'ahead' ? days : -days].sort((a, b) => a - b)
      return between(dayRelativeToToday(request, first!), dayRelativeToToday(request, last!))
    },
    ...(isPresent && { empty: not(isPresent) }),
  }
}

/** The boundary of a day: its first moment for `lt`, its last for `gt`. */
function boundary({ ctx }: FilterContext, comparison: Comparison, date: string): Date {
  if (!isDay(date)) return new Date(date)
  const zone = ctx.caller.time_zone
  if (comparison === lt) return startOf(date, zone)
  const next = Temporal.PlainDate.from(date).add({ days: 1 }).toString()
  return new Date(startOf(next, zone).getTime() - 1)
}

const RELATIVE_DAYS = new Map([
  ['yesterday', -1],
  ['today', 0],
  ['tomorrow', 1],
])

const SIGNED_SPAN = /^([+-])(\d{1,4})([dwmy])$/i
const DAYS: Record<string, number> = { d: 1, w: 7, m: 30, y: 365 }

/** The days from today that `+7d` or `-2w` means. */
export function signedOffset(value: string): number | undefined {
  const [, sign, count, unit = ''] = SIGNED_SPAN.exec(value) ?? []
  return count === undefined ? undefined : Number(sign + count) * DAYS[unit.toLowerCase()]!
}

function toDate(request: FilterContext, value: Scalar): string {
  if (typeof value !== 'string')
    throw invalidFilter(
      request,
      'invalid_type',
      'the value must be a date',
      value,
      'For example 2026-12-01',
    )
  const offset = RELATIVE_DAYS.get(foldName(value)) ?? signedOffset(value)
  return offset === undefined
    ? parseDate(request.ctx, request.named, value)
    : dayRelativeToToday(request, offset)
}

/** The day at an offset from today in the caller's time zone. */
export const dayRelativeToToday = (
  { ctx: { now, caller } }: Pick<FilterContext, 'ctx'>,
  offset: number,
): string =>
  Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(caller.time_zone)
    .toPlainDate()
    .add({ days: offset })
    .toString()
