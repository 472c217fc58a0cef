import { and, count, eq, inArray, isNull } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { notifications } from '../../notifications/model/index.ts'

/** Badges show at most this number. */
const MAX_COUNTED = 1000

export async function countUnread(tx: Tx, actor_id: number): Promise<number> {
  const unread = tx
    .select({ notification_id: notifications.notification_id })
    .from(notifications)
    .where(
      and(
        eq(notifications.actor_id, actor_id),
        isNull(notifications.read_at),
        isNull(notifications.archived_at),
      ),
    )
    .limit(MAX_COUNTED)
    .as('unread')
  const [row] = await tx.select({ total: count() }).from(unread)
  return row!.total
}

/** The notifications in the order in which they were created. */
export const notificationsById = (tx: Tx, ids: readonly number[]) =>
  tx
    .select()
    .from(notifications)
    .where(inArray(notifications.notification_id, [...ids]))
    .orderBy(notifications.notification_id)
