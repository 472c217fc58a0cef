import { inArray } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import type { LoggedChange } from '../../../../store/log.ts'
import { actorsOf, asActor } from '../../../identity/people/model/index.ts'
import { priorityName } from '../../../tasks/fields/model/index.ts'
import { type Task, taskById } from '../../../tasks/tasks/model/index.ts'
import { type Label, labelsOn } from '../../labels/model/index.ts'
import { type Section, sectionsById } from '../../sections/model/index.ts'
import { EVENTS, type EventName } from './events.ts'
import type { RULE_TYPE } from './schema.ts'
import type { Webhook } from './store.ts'
import { boardWebhookMessages as messages } from './tables.ts'

/** A task as messages describe it: as it is when the message is written. */
export interface DescribedTask {
  task: Task
  section: Section | undefined
  labels: Label[]
}

export async function describeTask(tx: Tx, task_id: number): Promise<DescribedTask | undefined> {
  const task = await taskById(tx, task_id)
  if (!task) return undefined
  const section = (await sectionsById(tx, [task.section_id])).get(task.section_id)
  return { task, section, labels: await labelsOn(tx, task) }
}

const taskData = ({ task, section, labels }: DescribedTask) => ({
  task_id: task.task_id,
  ticket_number: task.ticket_number,
  title: task.title,
  section_id: task.section_id,
  section: section?.title ?? null,
  labels: labels.map(({ name }) => name),
  priority: priorityName(task.priority),
  due_date: task.due_date,
  done: task.completed_at !== null,
})

interface Content {
  id: string
  type: EventName | typeof RULE_TYPE
  at: Date
  actor_id: number
  described: DescribedTask
  data: Record<string, unknown>
}

/** The body of a message. It has no address of this server, which may change. */
async function bodyOf(tx: Tx, { id, type, at, actor_id, described, data }: Content) {
  const actor = (await actorsOf(tx, [actor_id])).get(actor_id)
  return JSON.stringify({
    id,
    type,
    created_at: at.toISOString(),
    project_id: described.task.project_id,
    actor: actor ? asActor(actor) : null,
    data: { task: taskData(described), ...data },
  })
}

/** The same for each delivery of a change to a webhook, so that duplicates are recognised. */
const messageId = (webhook_id: number, { seq, created_at }: LoggedChange) =>
  `msg_w${webhook_id}_${seq}_${created_at.getTime().toString(36)}`

export async function queueChange(
  tx: Tx,
  webhook: Webhook,
  { change, type, described }: { change: LoggedChange; type: EventName; described: DescribedTask },
): Promise<void> {
  await insertMessage(tx, webhook, {
    id: messageId(webhook.webhook_id, change),
    type,
    at: change.created_at,
    actor_id: change.actor_id,
    described,
    data: EVENTS[type].data(change.data),
  })
}

export async function insertMessage(tx: Tx, webhook: Webhook, content: Content): Promise<void> {
  const { team_id, webhook_id } = webhook
  await tx
    .insert(messages)
    .values({
      team_id,
      webhook_id,
      project_id: content.described.task.project_id,
      message_id: content.id,
      type: content.type,
      body: await bodyOf(tx, content),
      attempts: 0,
      next_attempt_at: content.at,
      sending_until: null,
    })
    .onConflictDoNothing()
}

export const deleteMessages = async (tx: Tx, ids: readonly number[]) => {
  if (ids.length) await tx.delete(messages).where(inArray(messages.row_id, [...ids]))
}
