import type { Context } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { dueAt, isDay, readDate, startOf } from '../tasks/index.ts'
import { MOST_DAYS } from './schema.ts'

/** A task on one of its dates. */
export interface Item {
  task_id: number
  date: string
  /** The moment after which it is overdue, in milliseconds. */
  at: number
  occurrence: boolean
}

export const inOrder = (a: Pick<Item, 'at' | 'task_id'>, b: Pick<Item, 'at' | 'task_id'>) =>
  a.at - b.at || a.task_id - b.task_id

export const atOf = (date: string, zone: string) => dueAt(date, zone).getTime()

export interface Range {
  from: string
  to: string
  /** The first and the last moment of these days where the caller is. */
  begins: Date
  ends: Date
  /** Between these lies whatever is due in them anywhere. */
  least: number
  most: number
  /** A moment before all occurrences that are asked for. */
  eve: number
  includes(date: string): boolean
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
  const begins = new Date(Math.max(FIRST, startOf(from, caller.time_zone).getTime()))
  const ends = dueAt(to, caller.time_zone)
  const least = Math.max(FIRST, Date.parse(from) - DAY_MS)
  const includes = (date: string) => {
    if (isDay(date)) return date >= from && date <= to
    const at = Date.parse(date)
    return at >= begins.getTime() && at <= ends.getTime()
  }
  return {
    ...{ from, to, begins, ends, least, includes },
    most: Math.min(LAST, Date.parse(to) + 2 * DAY_MS),
    eve: least - 1,
  }
}

/** The same days, where a page goes on: what comes again is not counted from the first on. */
export const resumed = (range: Range, last: Pick<Item, 'at'> | undefined): Range =>
  last ? { ...range, eve: Math.max(range.eve, last.at - 2 * DAY_MS) } : range

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
