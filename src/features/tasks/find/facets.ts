import { and, eq, gt, inArray, isNotNull, isNull, lt, not, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn as Column } from 'drizzle-orm/pg-core'
import type { Context } from '../../../kernel/caller.ts'
import { type FieldCode, fault } from '../../../kernel/fault.ts'
import { contains, reads } from '../../../store/text.ts'
import { folded } from '../../projects/index.ts'
import { isDay, startOf } from '../rules.ts'
import { tasks } from '../tables.ts'
import { dateIn } from '../values.ts'
import type { Scope } from './scope.ts'

export type Scalar = string | number | boolean
export type Beyond = typeof gt

/**
 * What can be asked of a field. No condition is ever null, so that each can be turned round and
 * means the opposite.
 */
export interface Facet {
  any?(values: readonly Scalar[]): SQL | Promise<SQL>
  empty?: SQL
  beyond?(way: Beyond, value: Scalar): SQL
  within?(days: number): SQL
  contains?(text: string): SQL
}

export interface Asked {
  ctx: Context
  scope: Scope
  /** The field of the request that asks, for faults and warnings. */
  named: string
}

export const never = sql`1 = 0`
export const anyOf = (conditions: readonly SQL[]): SQL => or(...conditions) ?? never

export const wrong = (
  { named }: Pick<Asked, 'named'>,
  code: FieldCode,
  rule: string,
  value: unknown,
  hint?: string,
) => fault.invalid(named, code, `${named}: ${rule}`, value, hint)

/** Whatever is one of a few values; those that stand for having none are `none`. */
export const choice = <V extends string | number>(
  column: Column,
  read: (given: Scalar) => V,
  none?: SQL,
): Facet => ({
  any: (values) => {
    const wanted = values.map(read)
    return wanted.length ? and(present(column), inArray(column, wanted))! : never
  },
  ...(none && { empty: none }),
})

export function flag(asked: Asked, condition: SQL): Facet {
  return {
    any: (values) =>
      anyOf(values.map((value) => (truth(asked, value) ? condition : not(condition)))),
  }
}

/** From a query or a person's keyboard a yes comes as a word. */
export function truth(asked: Asked, value: Scalar): boolean {
  const word = folded(String(value))
  if (word === 'true' || word === 'false') return word === 'true'
  throw wrong(asked, 'invalid_type', 'the value must be true or false', value)
}

export function words(column: Column): Facet {
  const some = present(column)
  return {
    any: (values) => anyOf(values.map((value) => and(some, reads(column, String(value)))!)),
    contains: (text) => and(some, contains(column, text))!,
    ...(some && { empty: isNull(column) }),
  }
}

const present = (column: Column) => (column.notNull ? undefined : isNotNull(column))

/** Where `within_days` looks: at what is to come, or at what has been. */
export type Toward = 'ahead' | 'back'

export function moments(asked: Asked, column: Column, toward: Toward): Facet {
  const beyond = (way: Beyond, date: string) => way(column, edgeOf(asked, way, date))
  return dated(asked, present(column), toward, beyond)
}

/** Days are compared with days, so that a task's own time zone does not push it over the edge. */
export function due(asked: Asked): Facet {
  const isDate = eq(sql`length(${tasks.due_date})`, 10)
  return dated(asked, isNotNull(tasks.due_at), 'ahead', (way, date) => {
    const edge = edgeOf(asked, way, date)
    if (!isDay(date)) return way(tasks.due_at, edge)
    return or(and(isDate, way(tasks.due_date, date)), and(not(isDate), way(tasks.due_at, edge)))!
  })
}

/** Days alone, written as such. */
export function days(asked: Asked, column: Column): Facet {
  const beyond = (way: Beyond, date: string) => {
    if (isDay(date)) return way(column, date)
    throw wrong(asked, 'invalid_format', 'the value must be a day', date, 'Write 2026-12-01')
  }
  return dated(asked, isNotNull(column), 'ahead', beyond)
}

function dated(
  asked: Asked,
  some: SQL | undefined,
  toward: Toward,
  beyond: (way: Beyond, date: string) => SQL,
): Facet {
  const between = (first: string, last: string) =>
    and(some, not(beyond(lt, first)), not(beyond(gt, last)))!
  return {
    any: (values) =>
      anyOf(values.map((value) => dateOf(asked, value)).map((date) => between(date, date))),
    beyond: (way, value) => and(some, beyond(way, dateOf(asked, value)))!,
    within: (many) => {
      const [first, last] = [0, toward === 'ahead' ? many : -many].sort((a, b) => a - b)
      return between(dayFrom(asked, first!), dayFrom(asked, last!))
    },
    ...(some && { empty: not(some) }),
  }
}

/** A day ends where the next begins; neither of its edges lies beyond it. */
function edgeOf({ ctx }: Asked, way: Beyond, date: string): Date {
  if (!isDay(date)) return new Date(date)
  const zone = ctx.caller.time_zone
  if (way === lt) return startOf(date, zone)
  const next = Temporal.PlainDate.from(date).add({ days: 1 }).toString()
  return new Date(startOf(next, zone).getTime() - 1)
}

const WORDS = new Map([
  ['yesterday', -1],
  ['today', 0],
  ['tomorrow', 1],
])

function dateOf(asked: Asked, value: Scalar): string {
  if (typeof value !== 'string')
    throw wrong(asked, 'invalid_type', 'the value must be a date', value, 'Write 2026-12-01')
  const away = WORDS.get(folded(value))
  return away === undefined ? dateIn(asked.ctx, asked.named, value) : dayFrom(asked, away)
}

/** The day that lies so many days from today, where the caller is. */
export const dayFrom = ({ ctx: { now, caller } }: Pick<Asked, 'ctx'>, away: number): string =>
  Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(caller.time_zone)
    .toPlainDate()
    .add({ days: away })
    .toString()
