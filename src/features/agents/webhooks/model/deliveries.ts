import { desc } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import type { Outcome } from '../../../../kernel/delivery-queue.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import type { WebhookRequest } from './attempt.ts'
import { deliveryLog, deliveryRecord, newDeliveryId } from './delivery-log.ts'
import type { DeliveryRow } from './schema.ts'
import { ofWebhook, type Webhook } from './store.ts'
import { webhookDeliveries as deliveries, webhooks } from './tables.ts'

export type Delivery = typeof deliveries.$inferSelect

export const agentDeliveries = deliveryLog(deliveries, webhooks)

/** Which delivery of a message this is. */
export interface DeliveryInfo extends Pick<Delivery, 'kind' | 'attempt'> {
  request: WebhookRequest
  /** Whether to store the body, because the message is of no change in the log. */
  isKept?: boolean
}

const statements = prepared((tx) => ({
  insert: tx
    .insert(deliveries)
    .values({
      delivery_id: param('delivery_id'),
      team_id: param('team_id'),
      webhook_id: param('webhook_id'),
      message_id: param('message_id'),
      type: param('type'),
      kind: param('kind'),
      attempt: param('attempt'),
      at: param('at'),
      ms: param('ms'),
      status: param('status'),
      error: param('error'),
      body: param('body'),
    })
    .prepare('webhook_delivery_insert'),
}))

export async function recordDelivery(
  tx: Tx,
  { team_id, webhook_id }: Webhook,
  { kind, attempt, request, isKept }: DeliveryInfo,
  outcome: Outcome,
): Promise<DeliveryRow> {
  const row = {
    team_id,
    webhook_id,
    kind,
    attempt,
    ...outcome,
    delivery_id: newDeliveryId(),
    message_id: request.id,
    type: request.type,
    body: isKept ? request.body : null,
  }
  await statements(tx).insert.execute(row)
  return deliveryRecord(row)
}

/** The newest first. */
export async function recentDeliveries(tx: Tx, webhook: Webhook): Promise<DeliveryRow[]> {
  const rows = await tx
    .select()
    .from(deliveries)
    .where(ofWebhook(webhook))
    .orderBy(desc(deliveries.row_id))
    .limit(RECENT)
  return rows.map(deliveryRecord)
}

const RECENT = 10
