import type { Context } from '../../../../kernel/caller.ts'
import { type Fault, fault } from '../../../../kernel/fault.ts'
import { isDay, normalizeDate, startOf } from './rules.ts'

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

const invalidDate = (field: string, value: string): Fault =>
  fault.invalid(
    field,
    'invalid_format',
    `${field} is not a valid ISO 8601 date`,
    value,
    'Write 2026-12-01 or 2026-12-01T15:00:00Z',
  )
