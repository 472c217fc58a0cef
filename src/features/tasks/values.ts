import type { Context } from '../../kernel/caller.ts'
import { type Fault, fault } from '../../kernel/fault.ts'
import { isDay, normalizeDate, PRIORITIES, priorityNumber, sizeOf, startOf } from './rules.ts'

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

/** Returns a day as it is, or a moment in UTC. */
export function parseDate({ caller }: Context, field: string, value: string): string {
  const date = normalizeDate(value, caller.time_zone)
  if (date === undefined) throw invalidDate(field, value)
  return date
}

/** Returns a moment. A day stands for its first moment in the caller's time zone. */
export function parseMoment(ctx: Context, field: string, value: string): Date {
  const date = parseDate(ctx, field, value)
  return isDay(date) ? startOf(date, ctx.caller.time_zone) : new Date(date)
}

export const parseDueDate = (ctx: Context, value: string | null) =>
  value === null ? null : parseDate(ctx, 'due_date', value)

export const parseStartDate = (ctx: Context, value: string | null) =>
  value === null ? null : parseMoment(ctx, 'start_date', value)

const invalidDate = (field: string, value: string): Fault =>
  fault.invalid(
    field,
    'invalid_format',
    `${field} is not a valid ISO 8601 date`,
    value,
    'Write 2026-12-01 or 2026-12-01T15:00:00Z',
  )
