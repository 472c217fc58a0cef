import { and, eq, inArray, isNotNull, isNull, type SQL } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { notifications } from '../notifications/index.ts'
import type { ActorRow } from '../people/index.ts'
import { placeOf } from '../projects/index.ts'
import { aboutSeenTask, type Located } from '../tasks/index.ts'
import { MOVED_PRIORITY } from './rules.ts'

/** What is of one's own, and about a task that one can still see. */
const own = (ctx: Context) =>
  and(eq(notifications.actor_id, ctx.caller.actor_id), aboutSeenTask(ctx, notifications.task_id))

/** What each mark writes, and to what it makes a difference. */
const MARKS = {
  read: { change: 'notification.read', column: 'read_at', on: true },
  unread: { change: 'notification.unread', column: 'read_at', on: false },
  archive: { change: 'notification.archived', column: 'archived_at', on: true },
  unarchive: { change: 'notification.unarchived', column: 'archived_at', on: false },
} as const
export type Mark = keyof typeof MARKS

/** All of them or none: one that is not the caller's own refuses the rest as well. */
export async function mark(ctx: Context, name: Mark, given: readonly number[]) {
  const { change, column, on } = MARKS[name]
  const notification_ids = [...new Set(given)]
  const named = inArray(notifications.notification_id, notification_ids)
  await checkOwn(ctx, notification_ids, named)
  const differs = on ? isNull(notifications[column]) : isNotNull(notifications[column])
  const rows = await ctx.tx
    .update(notifications)
    .set({ [column]: on ? ctx.now : null })
    .where(and(named, differs))
    .returning({ notification_id: notifications.notification_id })
  const changed = rows.map(({ notification_id }) => notification_id).sort((a, b) => a - b)
  if (changed.length) ctx.emit(change, {}, { notification_ids: changed })
  return { notification_ids, changed }
}

async function checkOwn(ctx: Context, ids: readonly number[], named: SQL): Promise<void> {
  const rows = await ctx.tx
    .select({ notification_id: notifications.notification_id })
    .from(notifications)
    .where(and(named, own(ctx)))
  const known = new Set(rows.map(({ notification_id }) => notification_id))
  const missing = ids.filter((id) => !known.has(id))
  if (!missing.length) return
  throw fault.notFound(
    'notification_ids',
    `Your inbox has no notification ${missing.join(', ')}; nothing was changed`,
    missing.length === 1 ? missing[0] : undefined,
    'They are ids of notifications, not of tasks: svc_inbox list shows yours',
  )
}

/** Puts a task into somebody's inbox, to the top and unread; put there before, it is moved up. */
export async function moveTask(ctx: Context, { task, project }: Located, target: ActorRow) {
  const { tx, caller, now } = ctx
  const { actor_id, agent_id } = target
  const { team_id, task_id, ticket_number } = task
  const fresh = {
    ...{ by_id: caller.actor_id, priority: MOVED_PRIORITY, created_at: now },
    ...{ read_at: null, archived_at: null },
  }
  const moved = await tx
    .update(notifications)
    .set(fresh)
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
  const [row] = moved.length
    ? moved
    : await tx
        .insert(notifications)
        .values({ ...fresh, team_id, actor_id, task_id, kind, important: true })
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
