import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { dayNumber } from '../../../../kernel/recurrence/days.ts'
import { dueAt, isDay, normalizeDate, startOf } from '../../dates/model/index.ts'
import type { DateRange } from '../../repeats/model/index.ts'
import { MAX_DAYS } from './schema.ts'

/** A task on one of its due dates. */
export interface Item {
  task_id: number
  date: string
  /** The moment after which it is overdue, in milliseconds. */
  at: number
  occurrence: boolean
}

/** The position in a list. */
export type Position = Pick<Item, 'at' | 'task_id'>

export const byTime = (a: Position, b: Position) => a.at - b.at || a.task_id - b.task_id

/**
 * The requested days, also as day numbers, with the first and the last moment of them in the
 * caller's zone.
 */
export interface Range extends DateRange {
  from: string
  to: string
  /** Bounds for `due_at` that include these days in every time zone. */
  least: number
  most: number
}

const DAY_MS = 24 * 60 * 60 * 1000
const FIRST = Date.parse('0001-01-01T00:00:00Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

export function parseRange({ caller }: Context, input: { from: string; to: string }): Range {
  const [from, to] = [parseDay('from', input.from), parseDay('to', input.to)]
  const days = Temporal.PlainDate.from(from).until(to).days + 1
  if (days < 1) throw fault.invalid('to', 'out_of_range', 'to is before from', to, 'Swap the two')
  if (days > MAX_DAYS)
    throw fault.invalid(
      'to',
      'out_of_range',
      `The range has ${days} days; the maximum is ${MAX_DAYS}`,
      to,
      'Split the range into several requests',
    )
  return {
    from,
    to,
    first: dayNumber(from),
    last: dayNumber(to),
    begins: Math.max(FIRST, startOf(from, caller.time_zone).getTime()),
    ends: dueAt(to, caller.time_zone).getTime(),
    least: Math.max(FIRST, Date.parse(from) - DAY_MS),
    most: Math.min(LAST, Date.parse(to) + 2 * DAY_MS),
  }
}

/** The earliest day, in any time zone, on which a task due at or after this moment can be due. */
export const dayOf = (at: number) => Math.floor(at / DAY_MS) - 1

function parseDay(field: string, value: string): string {
  if (isDay(value) && normalizeDate(value, 'UTC') !== undefined) return value
  throw fault.invalid(
    field,
    'invalid_format',
    `${field} is not a valid date`,
    value,
    'Write it as 2026-12-01',
  )
}
