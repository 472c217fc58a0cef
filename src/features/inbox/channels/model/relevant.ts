import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { projectById } from '../../../boards/projects/model/index.ts'
import { callerFor } from '../../../identity/callers/model/index.ts'
import { people } from '../../../identity/people/model/index.ts'
import { onVisibleTask, tasksById } from '../../../tasks/tasks/model/index.ts'
import { notifications } from '../../notifications/model/index.ts'
import type { Channel } from './access.ts'
import type { channelDeliveries } from './tables.ts'

type Delivery = typeof channelDeliveries.$inferSelect

/**
 * The ids of the deliveries that are still wanted: the notification is unread, and the person or
 * the shared channel may still see the task.
 */
export function isStillWanted(
  tx: Tx,
  channel: Channel,
  rows: readonly Delivery[],
): Promise<ReadonlySet<number>> {
  return channel.owner_id === null
    ? visibleChanges(tx, channel, rows)
    : unreadNotifications(tx, channel.owner_id, rows)
}

async function unreadNotifications(tx: Tx, owner_id: number, rows: readonly Delivery[]) {
  const [person] = await tx
    .select({ deactivated_at: people.deactivated_at })
    .from(people)
    .where(eq(people.actor_id, owner_id))
  if (!person || person.deactivated_at) return new Set<number>()
  const caller = await callerFor(tx, owner_id)
  const unread = await tx
    .select({ notification_id: notifications.notification_id })
    .from(notifications)
    .where(
      and(
        inArray(
          notifications.notification_id,
          rows.flatMap(({ notification_id }) => notification_id ?? []),
        ),
        eq(notifications.actor_id, owner_id),
        isNull(notifications.read_at),
        isNull(notifications.archived_at),
        onVisibleTask({ tx, caller }, notifications.task_id),
      ),
    )
  const ids = new Set(unread.map(({ notification_id }) => notification_id))
  return idsOf(rows.filter((row) => ids.has(row.notification_id!)))
}

/** A channel of a board reports that board, one of a team the boards that the whole team sees. */
async function visibleChanges(tx: Tx, channel: Channel, rows: readonly Delivery[]) {
  const tasks = await tasksById(
    tx,
    rows.map(({ change }) => change!.task_id),
  )
  const visible: Delivery[] = []
  for (const row of rows) {
    const task = tasks.get(row.change!.task_id)
    const board = task && (await projectById(tx, task.project_id))
    if (!board || task.status === 'Deleted' || board.status !== 'Normal') continue
    const isIncluded =
      channel.project_id === null
        ? board.team_id === channel.team_id && board.access === 'team'
        : board.project_id === channel.project_id
    if (isIncluded) visible.push(row)
  }
  return idsOf(visible)
}

const idsOf = (rows: readonly Delivery[]) => new Set(rows.map(({ delivery_id }) => delivery_id))
