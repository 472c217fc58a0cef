import type { Context } from '../../kernel/caller.ts'
import { type Fault, fault } from '../../kernel/fault.ts'
import { isDay, PRIORITIES, priorityOf, readDate, sizeOf, startOf } from './rules.ts'

/** What was given for a field, as it is kept; a fault that names the field where it cannot be. */
export function priorityIn(given: number | string): number {
  const priority = priorityOf(given)
  if (priority !== undefined) return priority
  const names = PRIORITIES.map((name, index) => `${index} ${name}`).join(', ')
  const code = typeof given === 'string' ? 'invalid_type' : 'out_of_range'
  throw fault.invalid('priority', code, `priority must be one of ${names}`, given)
}

export function estimateIn(given: number): number {
  if (sizeOf(given) !== undefined) return given
  const message = 'estimate must be 0 (no size), 2 XS, 3 S, 4 M, 5 L or 6 XL'
  throw fault.invalid('estimate', 'out_of_range', message, given)
}

/** A day or a moment in UTC. */
export function dateIn({ caller }: Context, field: string, given: string): string {
  const date = readDate(given, caller.time_zone)
  if (date === undefined) throw misdated(field, given)
  return date
}

/** A day stands for the moment it begins. */
export function momentIn(ctx: Context, field: string, given: string): Date {
  const date = dateIn(ctx, field, given)
  return isDay(date) ? startOf(date, ctx.caller.time_zone) : new Date(date)
}

export const dueIn = (ctx: Context, given: string | null) =>
  given === null ? null : dateIn(ctx, 'due_date', given)

export const startIn = (ctx: Context, given: string | null) =>
  given === null ? null : momentIn(ctx, 'start_date', given)

const misdated = (field: string, given: string): Fault =>
  fault.invalid(
    field,
    'invalid_format',
    `${field} is not a date of the calendar in ISO 8601`,
    given,
    'Write 2026-12-01 or 2026-12-01T15:00:00Z',
  )
