import type { Context } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { type Between, dayNumber, dueAt, isDay, readDate, startOf } from '../tasks/index.ts'
import { MOST_DAYS } from './schema.ts'

/** A task on one of its dates. */
export interface Item {
  task_id: number
  date: string
  /** The moment after which it is overdue, in milliseconds. */
  at: number
  occurrence: boolean
}

/** Where it stands in a list. */
export type Place = Pick<Item, 'at' | 'task_id'>

export const inOrder = (a: Place, b: Place) => a.at - b.at || a.task_id - b.task_id

/** The days asked for, by number too, with the first and the last moment of them at the caller. */
export interface Range extends Between {
  from: string
  to: string
  /** Between these lies whatever is due in them anywhere. */
  least: number
  most: number
}

const DAY_MS = 24 * 60 * 60 * 1000
const FIRST = Date.parse('0001-01-01T00:00:00Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

export function rangeOf({ caller }: Context, asked: { from: string; to: string }): Range {
  const [from, to] = [dayIn('from', asked.from), dayIn('to', asked.to)]
  const days = Temporal.PlainDate.from(from).until(to).days + 1
  if (days < 1) throw fault.invalid('to', 'out_of_range', 'to lies before from', to, 'Swap the two')
  if (days > MOST_DAYS)
    throw fault.invalid(
      'to',
      'out_of_range',
      `These are ${days} days, and ${MOST_DAYS} are the most`,
      to,
      'Ask for them in several parts',
    )
  return {
    ...{ from, to, first: dayNumber(from), last: dayNumber(to) },
    begins: Math.max(FIRST, startOf(from, caller.time_zone).getTime()),
    ends: dueAt(to, caller.time_zone).getTime(),
    least: Math.max(FIRST, Date.parse(from) - DAY_MS),
    most: Math.min(LAST, Date.parse(to) + 2 * DAY_MS),
  }
}

/** Whatever is due at the moment or later is due on this day or later, wherever that is. */
export const dayOf = (at: number) => Math.floor(at / DAY_MS) - 1

function dayIn(field: string, given: string): string {
  if (isDay(given) && readDate(given, 'UTC') !== undefined) return given
  throw fault.invalid(
    field,
    'invalid_format',
    `${field} is not a day of the calendar`,
    given,
    'Write it as 2026-12-01',
  )
}
