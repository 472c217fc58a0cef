import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import type { LoggedChange } from '../../../../store/log.ts'
import { eventFor, isSendable } from './events.ts'
import { type DescribedTask, describeTask, queueChange } from './messages.ts'
import type { Webhook } from './store.ts'
import { boardWebhooks as webhooks } from './tables.ts'

/** Queues messages to the webhooks of boards and teams. A follower of the change log. */
export async function queueMessages(tx: Tx, changes: readonly LoggedChange[]): Promise<void> {
  const sendable = changes.filter(isSendable)
  if (!sendable.length) return
  const teams = [...new Set(sendable.flatMap(({ team_id }) => team_id ?? []))]
  const active = await tx
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.active, true), inArray(webhooks.team_id, teams)))
  if (!active.length) return
  const tasks = new Map<number, DescribedTask | undefined>()
  for (const change of sendable) {
    const interested = active.filter((webhook) => isAt(webhook, change))
    if (!interested.length) continue
    const task_id = change.task_id!
    if (!tasks.has(task_id)) tasks.set(task_id, await describeTask(tx, task_id))
    const described = tasks.get(task_id)
    if (described) await queueFor(tx, interested, change, described)
  }
}

const isAt = (webhook: Webhook, { team_id, project_id, created_at }: LoggedChange) =>
  webhook.team_id === team_id &&
  (webhook.project_id === null || webhook.project_id === project_id) &&
  created_at >= webhook.created_at

async function queueFor(
  tx: Tx,
  interested: readonly Webhook[],
  change: LoggedChange,
  described: DescribedTask,
): Promise<void> {
  // The task has moved to another board since, which readers of this board may not see.
  if (described.task.project_id !== change.project_id) return
  const facts = { isDone: described.section?.done === true }
  for (const webhook of interested) {
    const type = matchesTask(webhook, described) && eventFor(webhook.events, change, facts)
    if (type) await queueChange(tx, webhook, { change, type, described })
  }
}

function matchesTask({ section_ids, label_ids }: Webhook, { task, labels }: DescribedTask) {
  if (section_ids && !section_ids.includes(task.section_id)) return false
  return !label_ids || labels.some(({ label_id }) => label_ids.includes(label_id))
}
