import type { Tx } from '../../../../kernel/caller.ts'
import type { Outcome } from '../../../../kernel/delivery-queue.ts'
import {
  type DeliveryRow,
  deliveryLog,
  deliveryRecord,
  newDeliveryId,
} from '../../../agents/webhooks/model/index.ts'
import type { Webhook } from './store.ts'
import { boardWebhookDeliveries as deliveries, boardWebhooks as webhooks } from './tables.ts'

export type Delivery = typeof deliveries.$inferSelect

export const placeDeliveries = deliveryLog(deliveries, webhooks)

/** What was sent, and as which attempt. */
export interface Sent extends Pick<Delivery, 'kind' | 'attempt' | 'project_id'> {
  request: { id: string; type: string; body: string }
}

export async function recordDelivery(
  tx: Tx,
  { team_id, webhook_id }: Webhook,
  { kind, attempt, project_id, request }: Sent,
  outcome: Outcome,
): Promise<DeliveryRow> {
  const row = {
    ...{ team_id, webhook_id, kind, attempt, project_id },
    ...outcome,
    delivery_id: newDeliveryId(),
    message_id: request.id,
    type: request.type,
    body: request.body,
  }
  await tx.insert(deliveries).values(row)
  return deliveryRecord(row)
}
