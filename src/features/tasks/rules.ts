/** The values of the small task fields and their meaning. Pure functions: no clock, no database. */
export const PRIORITIES = ['None', 'Urgent', 'High', 'Medium', 'Low'] as const
export const SIZES = ['none', undefined, 'XS', 'S', 'M', 'L', 'XL'] as const
export const STATUSES = ['Normal', 'Archive', 'Deleted'] as const
export type Status = (typeof STATUSES)[number]
export const RECURRENCES = ['Daily', 'Weekdays', 'Weekly', 'Biweekly', 'Monthly'] as const
export type Recurrence = (typeof RECURRENCES)[number]
/** `red`: a check fails, or the pull request was closed without a merge. */
export const PR_BADGES = ['red', 'pending', 'green', 'merged'] as const
export type PrBadge = (typeof PR_BADGES)[number]
export const MAX_LEVELS = 20

/** The number of a priority, from its number or its name in any case. */
export function priorityNumber(value: number | string): number | undefined {
  if (typeof value === 'number') return PRIORITIES[value] && value
  const index = PRIORITIES.findIndex((name) => name.toLowerCase() === value.trim().toLowerCase())
  return index < 0 ? undefined : index
}

export const priorityName = (priority: number) => PRIORITIES[priority] ?? 'None'
export const sizeOf = (estimate: number): string | undefined => SIZES[estimate]

/** The number of a size, from its number or its name in any case. */
export function sizeNumber(value: number | string): number | undefined {
  if (typeof value === 'number') return sizeOf(value) === undefined ? undefined : value
  const word = value.trim().toLowerCase()
  const index = SIZES.findIndex((name) => name?.toLowerCase() === word)
  return index < 0 ? undefined : index
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
const MOMENT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/i
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z')

export const isDay = (date: string) => DAY.test(date)

/**
 * Returns a day unchanged and a moment in UTC; undefined if it is neither or not in the calendar.
 */
export function normalizeDate(text: string, zone: string): string | undefined {
  if (!DAY.test(text) && !MOMENT.test(text)) return undefined
  try {
    return DAY.test(text) ? validDay(text) : toMoment(text, zone)?.toISOString()
  } catch {
    return undefined
  }
}

const validDay = (text: string) => (Temporal.PlainDate.from(text).year > 0 ? text : undefined)

/** A moment without an offset is read in the given zone. */
function toMoment(text: string, zone: string): Date | undefined {
  const ms = /(Z|[+-]\d{2}:?\d{2})$/i.test(text)
    ? Temporal.Instant.from(text).epochMilliseconds
    : Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds
  const date = new Date(ms)
  // Years outside 1 to 9999 need more digits in ISO 8601 than the API and the databases accept.
  return ms <= LAST_MOMENT && date.getUTCFullYear() > 0 ? date : undefined
}

/** The first moment of a day in a zone. */
export const startOf = (day: string, zone: string) =>
  new Date(Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds)

/**
 * The last moment before the task is overdue: the end of a due day in the zone, or the due moment.
 */
export function dueAt(due: string, zone: string): Date {
  if (!isDay(due)) return new Date(due)
  const next = Temporal.PlainDate.from(due).add({ days: 1 }).toZonedDateTime(zone)
  return new Date(Math.min(next.epochMilliseconds - 1, LAST_MOMENT))
}

export const isSnoozed = ({ snoozed_until }: { snoozed_until: Date | null }, now: Date) =>
  snoozed_until !== null && snoozed_until > now

/** Neither completed nor archived nor deleted. */
export const isOpen = (task: { completed_at: Date | string | null; status: Status }) =>
  task.status === 'Normal' && !task.completed_at

export const isOverdue = (
  task: { due_at: Date | null; completed_at: Date | null; status: Status },
  now: Date,
) => isOpen(task) && task.due_at !== null && task.due_at < now
