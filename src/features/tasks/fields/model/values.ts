import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { parseDate, parseMoment } from '../../../time/dates/model/index.ts'
import { parseRecurrence } from '../../../time/repeats/model/index.ts'
import { PRIORITIES, priorityNumber, sizeOf } from './rules.ts'

/**
 * Parsers for input fields. Each returns the stored value, or throws a fault that names the field.
 */
export function parsePriority(value: number | string): number {
  const priority = priorityNumber(value)
  if (priority !== undefined) return priority
  const names = PRIORITIES.map((name, index) => `${index} ${name}`).join(', ')
  const code = typeof value === 'string' ? 'invalid_type' : 'out_of_range'
  throw fault.invalid('priority', code, `priority must be one of ${names}`, value)
}

export function parseEstimate(value: number): number {
  if (sizeOf(value) !== undefined) return value
  const message = 'estimate must be 0 (no size), 2 XS, 3 S, 4 M, 5 L or 6 XL'
  throw fault.invalid('estimate', 'out_of_range', message, value)
}

export const parseDueDate = (ctx: Context, value: string | null) =>
  value === null ? null : parseDate(ctx, 'due_date', value)

export const parseStartDate = (ctx: Context, value: string | null) =>
  value === null ? null : parseMoment(ctx, 'start_date', value)

export const parseRule = (value: string | null) => (value === null ? null : parseRecurrence(value))
