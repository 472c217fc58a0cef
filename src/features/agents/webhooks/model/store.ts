import { and, count, eq, isNotNull } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { forUpdate } from '../../../../store/columns.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { type EventName, messages, release, selectForWebhook } from '../../messages/model/index.ts'
import { webhookDeliveries as deliveries, webhooks } from './tables.ts'

export type Webhook = typeof webhooks.$inferSelect

/** Identifies the agent that owns the data. */
export type Owner = Pick<Webhook, 'team_id' | 'actor_id'>

const ofAgent = ({ team_id, actor_id }: Owner) =>
  and(eq(webhooks.team_id, team_id), eq(webhooks.actor_id, actor_id))

export const webhookOf = async (tx: Tx, agent: Owner): Promise<Webhook | undefined> =>
  (await tx.select().from(webhooks).where(ofAgent(agent)))[0]

const statements = prepared((tx) => ({
  hold: forUpdate(
    tx
      .select()
      .from(webhooks)
      .where(and(eq(webhooks.team_id, param('team_id')), eq(webhooks.actor_id, param('actor_id')))),
  ).prepare('webhook_hold'),
}))

/** Loads and locks a webhook. */
export async function lockWebhook(tx: Tx, owner: Owner): Promise<Webhook | undefined> {
  const { team_id, actor_id } = owner
  return (await statements(tx).hold.execute({ team_id, actor_id }))[0]
}

export function found(webhook: Webhook | undefined): Webhook {
  if (webhook) return webhook
  throw fault.notFound(
    'agent_id',
    'This agent has no webhook',
    undefined,
    'Create one: svc_webhooks configure, or PUT /api/v1/agents/{agent_id}/webhook',
  )
}

export async function setWebhook(
  tx: Tx,
  webhook: Webhook,
  set: Partial<Omit<Webhook, 'webhook_id' | 'team_id' | 'actor_id'>>,
): Promise<Webhook> {
  await tx.update(webhooks).set(set).where(eq(webhooks.webhook_id, webhook.webhook_id))
  return { ...webhook, ...set }
}

/** Selects the messages that the webhook delivers from now on; all others go to polling. */
export function selectMessages(tx: Tx, webhook: Webhook): Promise<void> {
  const { active, events, project_id } = webhook
  return selectForWebhook(tx, webhook, {
    wanted: active ? (events as EventName[]) : null,
    project_id,
  })
}

export async function waitingFor(tx: Tx, { team_id, actor_id }: Owner): Promise<number> {
  const [row] = await tx
    .select({ many: count() })
    .from(messages)
    .where(
      and(
        eq(messages.team_id, team_id),
        eq(messages.actor_id, actor_id),
        isNotNull(messages.next_attempt_at),
      ),
    )
  return row!.many
}

/** The number of undelivered messages of all webhooks. */
export async function undelivered(tx: Tx): Promise<number> {
  const [row] = await tx
    .select({ many: count() })
    .from(messages)
    .where(isNotNull(messages.next_attempt_at))
  return row!.many
}

export const ofWebhook = ({ team_id, webhook_id }: Webhook) =>
  and(eq(deliveries.team_id, team_id), eq(deliveries.webhook_id, webhook_id))

/** Deletes a webhook. Its undelivered messages go to polling; returns their number. */
export async function deleteWebhook(tx: Tx, webhook: Webhook): Promise<number> {
  const released = await waitingFor(tx, webhook)
  await release(tx, webhook)
  await tx.delete(deliveries).where(ofWebhook(webhook))
  await tx.delete(webhooks).where(eq(webhooks.webhook_id, webhook.webhook_id))
  return released
}
