import type { NotificationRow } from '../inbox/index.ts'
import type { Mode } from './schema.ts'

/** When letters go out, and in what words. Nothing here reads a clock or a database. */

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const DAY_MS = 24 * 60 * MINUTE_MS

/** What happens within a minute of the first goes into one letter. */
const GATHER_MS = 60 * SECOND_MS
const RETRY_MINUTES = [1, 5, 30, 120, 360]

/** Until a letter is tried again that failed so often. */
export const spacing = (attempts: number): number => {
  const minutes = RETRY_MINUTES[attempts - 1]
  return minutes === undefined ? DAY_MS : minutes * MINUTE_MS
}

/** How somebody wants letters. */
export interface Wish {
  mode: Mode
  hour: number
  time_zone: string
}

/** When a letter goes out that tells of something that happened at that moment. */
export function dueAfter(moment: Date, { mode, hour, time_zone }: Wish): Date {
  if (mode !== 'daily') return new Date(moment.getTime() + GATHER_MS)
  return nextHour(moment, hour, time_zone)
}

/** The next time that clocks there show the hour; one that they skip comes an hour later. */
function nextHour(moment: Date, hour: number, zone: string): Date {
  const local = Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(zone)
  const on = (day: Temporal.PlainDate) =>
    new Date(
      day.toZonedDateTime({ timeZone: zone, plainTime: new Temporal.PlainTime(hour) })
        .epochMilliseconds,
    )
  const today = on(local.toPlainDate())
  return today > moment ? today : on(local.toPlainDate().add({ days: 1 }))
}

export type Told = Pick<NotificationRow, 'kind' | 'snippet'> & {
  task: { ticket_number: string; title: string }
  actor: { kind: string; name: string }
  comment_id?: number | undefined
}

const PHRASES: Record<string, string> = {
  escalated: 'escalated this',
  decision_requested: 'asks you to decide',
  decision_answered: 'answered what you asked',
  mentioned: 'mentioned you',
  replied: 'replied to you',
  assigned: 'assigned this to you',
  unassigned: 'took this off you',
  moved_to_inbox: 'put this into your inbox',
  reacted: 'reacted to your comment',
  run_finished: 'finished a run',
  commented: 'commented',
}

/** What time alone brings about is nobody's doing. */
const UNDONE: Record<string, string> = { due_soon: 'Due soon', overdue: 'Overdue' }

export const phrase = ({ kind, actor }: Pick<Told, 'kind' | 'actor'>): string =>
  UNDONE[kind] ?? `${actor.name} ${PHRASES[kind] ?? kind.replaceAll('_', ' ')}`

const MOST_TITLE = 120

const nameOf = ({ task: { ticket_number, title } }: Told) =>
  `${ticket_number} ${title.length > MOST_TITLE ? `${title.slice(0, MOST_TITLE).toWellFormed()}…` : title}`

/** What a letter is about, so that many need not be opened. */
export function subjectOf(told: readonly Told[], isMore: boolean): string {
  const [first] = told
  if (told.length === 1) return `${nameOf(first!)}: ${phrase(first!)}`
  const isOne =
    !isMore && told.every(({ task }) => task.ticket_number === first!.task.ticket_number)
  if (isOne) return `${nameOf(first!)}: ${told.length} things`
  return `${isMore ? 'More than ' : ''}${told.length} things on Corkboard`
}
