import { and, eq, inArray, isNotNull, isNull, type SQL } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { placeOf } from '../../../boards/projects/model/index.ts'
import type { ActorRow } from '../../../identity/people/model/index.ts'
import { type Located, onVisibleTask } from '../../../tasks/tasks/model/index.ts'
import { notifications } from '../../notifications/model/index.ts'
import { MOVED_PRIORITY } from './rules.ts'

/** Selects notifications of the caller whose task the caller can still see. */
const ownVisible = (ctx: Context) =>
  and(eq(notifications.actor_id, ctx.caller.actor_id), onVisibleTask(ctx, notifications.task_id))

/** Per mark: the change it emits, the column it writes, and whether it sets or clears it. */
const MARKS = {
  read: { change: 'notification.read', column: 'read_at', isSet: true },
  unread: { change: 'notification.unread', column: 'read_at', isSet: false },
  archive: { change: 'notification.archived', column: 'archived_at', isSet: true },
  unarchive: { change: 'notification.unarchived', column: 'archived_at', isSet: false },
} as const
export type Mark = keyof typeof MARKS

/** Marks all of the notifications or none: a single one that is not the caller's fails the call. */
export async function mark(ctx: Context, name: Mark, ids: readonly number[]) {
  const { change, column, isSet } = MARKS[name]
  const notification_ids = [...new Set(ids)]
  const byIds = inArray(notifications.notification_id, notification_ids)
  await checkOwn(ctx, notification_ids, byIds)
  const isUnmarked = isSet ? isNull(notifications[column]) : isNotNull(notifications[column])
  const rows = await ctx.tx
    .update(notifications)
    .set({ [column]: isSet ? ctx.now : null })
    .where(and(byIds, isUnmarked))
    .returning({ notification_id: notifications.notification_id })
  const changed = rows.map(({ notification_id }) => notification_id).sort((a, b) => a - b)
  if (changed.length) ctx.emit(change, {}, { notification_ids: changed })
  return { notification_ids, changed }
}

async function checkOwn(ctx: Context, ids: readonly number[], byIds: SQL): Promise<void> {
  const rows = await ctx.tx
    .select({ notification_id: notifications.notification_id })
    .from(notifications)
    .where(and(byIds, ownVisible(ctx)))
  const ownIds = new Set(rows.map(({ notification_id }) => notification_id))
  const missing = ids.filter((id) => !ownIds.has(id))
  if (!missing.length) return
  throw fault.notFound(
    'notification_ids',
    `Your inbox has no notification ${missing.join(', ')}; nothing was changed`,
    missing.length === 1 ? missing[0] : undefined,
    'Use ids of notifications, not of tasks: svc_inbox list shows yours',
  )
}

/**
 * Puts a task at the top of somebody's inbox, unread. A notification of an earlier move is updated
 * instead of duplicated.
 */
export async function moveTask(ctx: Context, { task, project }: Located, target: ActorRow) {
  const { tx, caller, now } = ctx
  const { actor_id, agent_id } = target
  const { team_id, task_id, ticket_number } = task
  const values = {
    by_id: caller.actor_id,
    priority: MOVED_PRIORITY,
    created_at: now,
    read_at: null,
    archived_at: null,
  }
  const updated = await tx
    .update(notifications)
    .set(values)
    .where(
      and(
        eq(notifications.team_id, team_id),
        eq(notifications.task_id, task_id),
        eq(notifications.actor_id, actor_id),
        eq(notifications.kind, 'moved_to_inbox'),
      ),
    )
    .returning({ notification_id: notifications.notification_id })
  const kind = 'moved_to_inbox' as const
  const [row] = updated.length
    ? updated
    : await tx
        .insert(notifications)
        .values({ ...values, team_id, actor_id, task_id, kind, important: true })
        .returning({ notification_id: notifications.notification_id })
  const { notification_id } = row!
  ctx.emit(
    'inbox.moved',
    { ...placeOf(project), task_id },
    { ticket_number, notification_id, user_id: actor_id },
  )
  const owner = agent_id === null ? { user_id: actor_id } : { agent_id }
  return { notification_id, task_id, ticket_number, ...owner }
}
