import type { Texts } from '../../../../languages/index.ts'
import type { NotificationRow } from '../../inbox/model/index.ts'
import type { Kind } from '../../notifications/model/index.ts'
import type { Mode } from './schema.ts'

/** When emails are due, and their subjects. Nothing here reads a clock or a database. */

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const DAY_MS = 24 * 60 * MINUTE_MS

/** Notifications within a minute of the first go into one email. */
const BATCH_WINDOW_MS = 60 * SECOND_MS
const RETRY_MINUTES = [1, 5, 30, 120, 360]

/** The delay before the next attempt, after `attempts` failures. */
export const retryDelay = (attempts: number): number => {
  const minutes = RETRY_MINUTES[attempts - 1]
  return minutes === undefined ? DAY_MS : minutes * MINUTE_MS
}

/** When a person wants emails. */
export interface Schedule {
  mode: Mode
  hour: number
  time_zone: string
}

/** When an email about something that happened at `moment` is due. */
export function dueAfter(moment: Date, { mode, hour, time_zone }: Schedule): Date {
  if (mode !== 'daily') return new Date(moment.getTime() + BATCH_WINDOW_MS)
  return nextTime(moment, new Temporal.PlainTime(hour), time_zone)
}

/** The next moment local clocks show the time. Daylight saving may skip it; then it comes later. */
export function nextTime(moment: Date, plainTime: Temporal.PlainTime, zone: string): Date {
  const local = Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(zone)
  const on = (day: Temporal.PlainDate) =>
    new Date(day.toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds)
  const today = on(local.toPlainDate())
  return today > moment ? today : on(local.toPlainDate().add({ days: 1 }))
}

export type EmailNotification = Pick<NotificationRow, 'snippet'> & {
  kind: Kind
  task: { ticket_number: string; title: string }
  actor: { kind: string; name: string }
  comment_id?: number | undefined
}

/** What happened, such as `Ada assigned this to you`. Notifications caused by time have no actor. */
export const phrase = (
  { text }: Texts,
  { kind, actor: { name } }: Pick<EmailNotification, 'kind' | 'actor'>,
): string => text(`email.${kind}`, { name })

const MAX_TITLE = 120

/** The number and the title of a task, which may be shortened. */
export const taskTitle = ({ task: { ticket_number, title } }: Pick<EmailNotification, 'task'>) =>
  `${ticket_number} ${title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE).toWellFormed()}…` : title}`

/** The subject of an email, specific enough that many need not be opened. */
export function subjectOf(
  texts: Texts,
  notifications: readonly EmailNotification[],
  hasMore: boolean,
): string {
  const [first] = notifications
  const count = notifications.length
  if (count === 1) return `${taskTitle(first!)}: ${phrase(texts, first!)}`
  const isOneTask =
    !hasMore && notifications.every(({ task }) => task.ticket_number === first!.task.ticket_number)
  if (isOneTask) return texts.text('email.subject_of_task', { task: taskTitle(first!), count })
  return texts.text(hasMore ? 'email.subject_of_many' : 'email.subject_of_several', { count })
}
