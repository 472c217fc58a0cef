import { and, eq } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import type { Task } from '../../../tasks/tasks/model/index.ts'
import { notifications } from './tables.ts'

const selectInvocation = prepared((tx) =>
  tx
    .select({ by: notifications.by_id })
    .from(notifications)
    .where(
      and(
        eq(notifications.notification_id, param('notification_id')),
        eq(notifications.actor_id, param('actor_id')),
        eq(notifications.task_id, param('task_id')),
      ),
    )
    .prepare('invocation'),
)

/**
 * Returns the actor who called the caller to a task with this notification. Throws if the inbox of
 * the caller has no such notification about the task.
 */
export async function findInvocation(
  { tx, caller }: Pick<Context, 'tx' | 'caller'>,
  { task_id, ticket_number }: Pick<Task, 'task_id' | 'ticket_number'>,
  notification_id: number,
): Promise<number> {
  const { actor_id } = caller
  const [row] = await selectInvocation(tx).execute({ notification_id, actor_id, task_id })
  if (row) return row.by
  throw fault.invalid(
    'reply_to_invocation_id',
    'not_found',
    `Your inbox has no notification ${notification_id} about ${ticket_number}`,
    notification_id,
    'Leave it out, or use a notification_id from svc_inbox list',
  )
}
