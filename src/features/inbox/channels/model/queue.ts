import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import type { LoggedChange } from '../../../../store/log.ts'
import { people } from '../../../identity/people/model/index.ts'
import { tasksById } from '../../../tasks/tasks/model/index.ts'
import { isImportant } from '../../inbox/model/index.ts'
import type { Kind } from '../../notifications/model/index.ts'
import type { Channel } from './access.ts'
import { heldUntil, isUrgent, isWanted, type SharedEvent } from './rules.ts'
import { DEFAULT_SETTINGS } from './settings.ts'
import { channelDeliveries, channels, notificationSettings, type SharedChange } from './tables.ts'

/**
 * Queues a message for each channel that a change concerns. It runs in the transaction that stores
 * the position in the change log, so a change is queued exactly once.
 */
export async function queueChannels(tx: Tx, changes: readonly LoggedChange[]): Promise<void> {
  await queueNotifications(tx, changes)
  await queueShared(tx, changes)
}

type Delivery = typeof channelDeliveries.$inferInsert

/** PostgreSQL and SQLite limit the parameters of a statement. */
const MAX_ROWS = 500

async function insert(tx: Tx, rows: readonly Delivery[]): Promise<void> {
  for (let index = 0; index < rows.length; index += MAX_ROWS)
    await tx.insert(channelDeliveries).values(rows.slice(index, index + MAX_ROWS))
}

const deliveryOf = (
  { channel_id }: Channel,
  details: Pick<Delivery, 'notification_id' | 'change' | 'urgent'>,
  { at, until }: { at: Date; until: Date | undefined },
): Delivery => ({
  ...{ channel_id, ...details, held: until !== undefined, due_at: until ?? at, created_at: at },
  attempts: 0,
})

/** A change that gave a person a notification. */
interface Cause {
  actor_id: number
  kind: Kind
  notification_id: number
  task_id: number
  at: Date
  seq: number
}

function causeOf({ seq, type, actor_id, task_id, data, created_at: at }: LoggedChange): Cause[] {
  const { notification_id, ...fields } = data as {
    notification_id: number
    kind: Kind
    task_id: number
    user_id?: number
  }
  if (type === 'notification.created')
    return [{ actor_id, notification_id, kind: fields.kind, task_id: fields.task_id, at, seq }]
  if (type !== 'inbox.moved' || fields.user_id === undefined || task_id === null) return []
  return [
    {
      actor_id: fields.user_id,
      notification_id,
      kind: 'moved_to_inbox' as const,
      task_id,
      at,
      seq,
    },
  ]
}

async function queueNotifications(tx: Tx, changes: readonly LoggedChange[]): Promise<void> {
  const causes = changes.flatMap(causeOf)
  const ids = [...new Set(causes.map(({ actor_id }) => actor_id))]
  if (!ids.length) return
  const rows = await tx
    .select({ channel: channels, settings: notificationSettings, time_zone: people.time_zone })
    .from(channels)
    .innerJoin(people, eq(people.actor_id, channels.owner_id))
    .leftJoin(notificationSettings, eq(notificationSettings.actor_id, channels.owner_id))
    .where(and(inArray(channels.owner_id, ids), eq(channels.active, true)))
  if (!rows.length) return
  const tasks = await tasksById(tx, [...new Set(causes.map(({ task_id }) => task_id))])
  const deliveries: Delivery[] = []
  for (const { actor_id, kind, notification_id, task_id, at, seq } of causes) {
    const project_id = tasks.get(task_id)?.project_id
    for (const { channel, settings, time_zone } of rows) {
      if (channel.owner_id !== actor_id || seq <= channel.after_seq) continue
      const { boards, ...quiet } = settings ?? DEFAULT_SETTINGS
      const level = project_id === undefined ? undefined : boards[project_id]
      if (!isWanted(kind, isImportant(kind), { events: channel.events, level })) continue
      const urgent = isUrgent(kind)
      const until = heldUntil(at, urgent, { ...channel, ...quiet, time_zone })
      deliveries.push(deliveryOf(channel, { notification_id, urgent }, { at, until }))
    }
  }
  await insert(tx, deliveries)
}

interface UpdateData {
  changed?: readonly string[]
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  snippet?: string
  question?: string
  reason?: string
  summary?: string | null
}

/** What a shared channel reports of a change, if anything. */
const EVENTS: Record<string, SharedEvent> = {
  'task.created': 'task_created',
  'task.updated': 'task_moved',
  'comment.created': 'comment',
  'decision.requested': 'decision_requested',
  'escalation.created': 'escalated',
  'run.done': 'run_finished',
  'run.failed': 'run_finished',
  'run.waiting': 'run_waiting',
}

function isReported({ type, task_id, project_id, data }: LoggedChange): boolean {
  if (!Object.hasOwn(EVENTS, type) || task_id === null || project_id === null) return false
  return type !== 'task.updated' || (data as UpdateData).after?.section !== undefined
}

async function queueShared(tx: Tx, changes: readonly LoggedChange[]): Promise<void> {
  const reported = changes.filter(isReported)
  if (!reported.length) return
  const rows = await sharedChannels(tx, reported)
  if (!rows.length) return
  const tasks = await tasksById(tx, [...new Set(reported.map(({ task_id }) => task_id!))])
  const deliveries: Delivery[] = []
  for (const change of reported) {
    const { seq, team_id, project_id, created_at: at } = change
    const done = tasks.get(change.task_id!)?.completed_at
    const shared = toSharedChange(change, done?.getTime() === at.getTime())
    for (const channel of rows) {
      const isOfBoard =
        channel.project_id === null
          ? channel.team_id === team_id
          : channel.project_id === project_id
      if (!isOfBoard || seq <= channel.after_seq || !channel.events.includes(shared.event)) continue
      const until = heldUntil(at, false, { ...channel, ...DEFAULT_SETTINGS, time_zone: 'UTC' })
      const details = { change: shared, urgent: isUrgent(shared.event) }
      deliveries.push(deliveryOf(channel, details, { at, until }))
    }
  }
  await insert(tx, deliveries)
}

function sharedChannels(tx: Tx, changes: readonly LoggedChange[]): Promise<Channel[]> {
  const boards = [...new Set(changes.map(({ project_id }) => project_id!))]
  const teams = [...new Set(changes.map(({ team_id }) => team_id!))]
  return tx
    .select()
    .from(channels)
    .where(
      and(
        inArray(channels.team_id, teams),
        or(isNull(channels.project_id), inArray(channels.project_id, boards)),
        eq(channels.active, true),
      ),
    )
}

const MAX_SNIPPET = 300

function toSharedChange(change: LoggedChange, isCompleted: boolean): SharedChange {
  const { type, actor_id } = change
  const data = change.data as UpdateData
  const event = EVENTS[type]!
  const text = data.snippet ?? data.question ?? data.reason ?? data.summary
  const column = data.after?.section
  return {
    event: event === 'task_moved' && isCompleted ? 'task_completed' : event,
    actor_id,
    task_id: change.task_id!,
    ...(text && { snippet: text.slice(0, MAX_SNIPPET).toWellFormed() }),
    ...(typeof column === 'string' && { column }),
  }
}
