/** What the small fields of a task may be, and mean. Nothing here reads a clock or a database. */
export const PRIORITIES = ['None', 'Urgent', 'High', 'Medium', 'Low'] as const
export const SIZES = ['none', undefined, 'XS', 'S', 'M', 'L', 'XL'] as const
export const STATUSES = ['Normal', 'Archive', 'Deleted'] as const
export type Status = (typeof STATUSES)[number]
export const RECURRENCES = ['Daily', 'Weekdays', 'Weekly', 'Biweekly', 'Monthly'] as const
export type Recurrence = (typeof RECURRENCES)[number]
/** Red: checks fail, or closed unmerged. */
export const PR_BADGES = ['red', 'pending', 'green', 'merged'] as const
export type PrBadge = (typeof PR_BADGES)[number]
export const MOST_LEVELS = 20

/** The number of a priority given by number or by name, whatever its case. */
export function priorityOf(given: number | string): number | undefined {
  if (typeof given === 'number') return PRIORITIES[given] && given
  const found = PRIORITIES.findIndex((name) => name.toLowerCase() === given.trim().toLowerCase())
  return found < 0 ? undefined : found
}

export const priorityName = (priority: number) => PRIORITIES[priority] ?? 'None'
export const sizeOf = (estimate: number): string | undefined => SIZES[estimate]

/** The number of a size given by number or by name. */
export function estimateCalled(given: number | string): number | undefined {
  if (typeof given === 'number') return sizeOf(given) === undefined ? undefined : given
  const word = given.trim().toLowerCase()
  const found = SIZES.findIndex((name) => name?.toLowerCase() === word)
  return found < 0 ? undefined : found
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
const MOMENT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/i
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

export const isDay = (date: string) => DAY.test(date)

/** A day stays a day; a moment becomes UTC. Nothing if it is neither, or not in the calendar. */
export function readDate(text: string, zone: string): string | undefined {
  if (!DAY.test(text) && !MOMENT.test(text)) return undefined
  try {
    return DAY.test(text) ? dayIn(text) : momentIn(text, zone)?.toISOString()
  } catch {
    return undefined
  }
}

const dayIn = (text: string) => (Temporal.PlainDate.from(text).year > 0 ? text : undefined)

/** A moment without an offset is meant in the zone of whoever gave it. */
function momentIn(text: string, zone: string): Date | undefined {
  const ms = /(Z|[+-]\d{2}:?\d{2})$/i.test(text)
    ? Temporal.Instant.from(text).epochMilliseconds
    : Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds
  const date = new Date(ms)
  // Outside the years 1 to 9999 ISO 8601 needs more digits than the wire and databases take.
  return ms <= LAST && date.getUTCFullYear() > 0 ? date : undefined
}

/** When a day begins in a zone. */
export const startOf = (day: string, zone: string) =>
  new Date(Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds)

/** The last moment that is in time: the end of a day in the zone, or the moment itself. */
export function dueAt(due: string, zone: string): Date {
  if (!isDay(due)) return new Date(due)
  const next = Temporal.PlainDate.from(due).add({ days: 1 }).toZonedDateTime(zone)
  return new Date(Math.min(next.epochMilliseconds - 1, LAST))
}

export const isSnoozed = ({ snoozed_until }: { snoozed_until: Date | null }, now: Date) =>
  snoozed_until !== null && snoozed_until > now

/** Still to be done: neither finished nor put away. */
export const isOpen = (task: { completed_at: Date | string | null; status: Status }) =>
  task.status === 'Normal' && !task.completed_at

export const isOverdue = (
  task: { due_at: Date | null; completed_at: Date | null; status: Status },
  now: Date,
) => isOpen(task) && task.due_at !== null && task.due_at < now
