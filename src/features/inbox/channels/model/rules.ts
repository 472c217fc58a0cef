import { nextTime } from '../../mail/model/index.ts'
import type { Kind } from '../../notifications/model/index.ts'

/** Which notifications a channel gets, and when. Nothing here reads a clock or a database. */

export const CHANNEL_KINDS = [
  'push',
  'ntfy',
  'slack',
  'discord',
  'mattermost',
  'webhook',
  'apprise',
] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]

/** What people choose for a channel of theirs, and the notifications that belong to it. */
export const PERSONAL_EVENTS = {
  escalations: ['escalated', 'budget_reached'],
  decisions: ['decision_requested', 'decision_answered', 'run_waiting'],
  mentions: ['mentioned', 'replied'],
  assignments: ['assigned', 'unassigned', 'moved_to_inbox'],
  due_dates: ['overdue', 'due_soon'],
  runs: ['run_finished'],
  comments: ['commented', 'reacted'],
} as const satisfies Record<string, readonly Kind[]>
export type PersonalEvent = keyof typeof PERSONAL_EVENTS

const EVENT_OF = new Map<Kind, PersonalEvent>(
  Object.entries(PERSONAL_EVENTS).flatMap(([event, kinds]) =>
    kinds.map((kind) => [kind, event as PersonalEvent] as const),
  ),
)
export const eventOf = (kind: Kind): PersonalEvent => EVENT_OF.get(kind)!

/** What a shared channel can report of a board. */
export const SHARED_EVENTS = [
  'task_created',
  'task_moved',
  'task_completed',
  'comment',
  'decision_requested',
  'escalated',
  'run_finished',
  'run_waiting',
] as const
export type SharedEvent = (typeof SHARED_EVENTS)[number]

export type ChannelEvent = PersonalEvent | SharedEvent

export const DEFAULT_EVENTS = {
  personal: ['escalations', 'decisions', 'mentions', 'assignments', 'due_dates'],
  shared: ['task_completed', 'decision_requested', 'escalated', 'run_finished', 'run_waiting'],
} as const satisfies { personal: PersonalEvent[]; shared: SharedEvent[] }

/** Somebody waits for these, so they arrive also in quiet hours, unless the person forbids it. */
export const isUrgent = (kind: Kind | SharedEvent) =>
  kind === 'escalated' || kind === 'decision_requested'

export const BOARD_LEVELS = ['all', 'important', 'none'] as const
export type BoardLevel = (typeof BOARD_LEVELS)[number]

interface Choice {
  events: readonly string[]
  level: BoardLevel | undefined
}

/** Whether a channel of a person gets a notification of this kind. */
export function isWanted(kind: Kind, important: boolean, { events, level }: Choice): boolean {
  if (level === 'none') return false
  if (level === 'all') return true
  return events.includes(eventOf(kind)) && (level !== 'important' || important)
}

export interface QuietHours {
  /** `22:00`, in the time zone of the person; null: none. */
  quiet_from: string | null
  quiet_to: string | null
}

/** When the quiet hours end that contain this moment; undefined outside quiet hours. */
export function quietUntil(
  moment: Date,
  { quiet_from, quiet_to }: QuietHours,
  zone: string,
): Date | undefined {
  if (quiet_from === null || quiet_to === null || quiet_from === quiet_to) return undefined
  const local = Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(zone)
  const time = local.toPlainTime().toString({ smallestUnit: 'minute' })
  const isQuiet =
    quiet_from < quiet_to
      ? time >= quiet_from && time < quiet_to
      : time >= quiet_from || time < quiet_to
  return isQuiet ? nextTime(moment, Temporal.PlainTime.from(quiet_to), zone) : undefined
}

export interface Schedule extends QuietHours {
  mode: 'now' | 'daily'
  hour: number
  /** Urgent notifications arrive in quiet hours. */
  quiet_exceptions: boolean
  time_zone: string
}

/** When a notification is sent that would wait; undefined: at once. */
export function heldUntil(moment: Date, urgent: boolean, schedule: Schedule): Date | undefined {
  const { mode, hour, quiet_exceptions, time_zone } = schedule
  if (mode === 'daily') return nextTime(moment, new Temporal.PlainTime(hour), time_zone)
  if (urgent && quiet_exceptions) return undefined
  return quietUntil(moment, schedule, time_zone)
}

/** Waiting notifications up to this number are sent one by one; more become a digest. */
export const MAX_SINGLE = 3
/** A digest lists at most this many. */
export const MAX_DIGEST = 50

/** A channel that has failed for so long is switched off. */
export const MAX_FAILING_MS = 24 * 60 * 60 * 1000

/** The statuses by which a service says that the address will never work again. */
const GONE: Record<ChannelKind, readonly number[]> = {
  push: [404, 410],
  ntfy: [],
  slack: [404, 410],
  discord: [404],
  mattermost: [410],
  webhook: [410],
  apprise: [410],
}
export const isGone = (kind: ChannelKind, status: number | null) =>
  status !== null && GONE[kind].includes(status)

const MAX_RETRY_AFTER_MS = 60 * 60 * 1000

/** How long a busy service wants to be left alone, in ms; undefined if it does not say. */
export function parseRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (!header) return undefined
  const seconds = Number(header)
  const ms = Number.isNaN(seconds) ? Date.parse(header) - now.getTime() : seconds * 1000
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 1000), MAX_RETRY_AFTER_MS)
}
