import { and, count, desc, eq, inArray, lt, lte, or } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import type { Outcome } from '../../../../kernel/delivery-queue.ts'
import { type DeliveryRow, STORED } from './schema.ts'
import type { Webhook } from './store.ts'
import { boardWebhookDeliveries as deliveries, boardWebhooks as webhooks } from './tables.ts'

export type Delivery = typeof deliveries.$inferSelect

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
    delivery_id: `dlv_${Bun.randomUUIDv7('hex').replaceAll('-', '')}`,
    message_id: request.id,
    type: request.type,
    body: request.body,
  }
  await tx.insert(deliveries).values(row)
  return deliveryRecord(row)
}

export const deliveryRecord = (row: Omit<Delivery, 'row_id'>): DeliveryRow => ({
  delivery_id: row.delivery_id,
  message_id: row.message_id,
  type: row.type,
  kind: row.kind,
  attempt: row.attempt,
  delivered: row.error === null,
  status: row.status,
  error: row.error,
  ms: row.ms,
  at: row.at.toISOString(),
})

export const ofWebhook = ({ webhook_id }: Pick<Webhook, 'webhook_id'>) =>
  eq(deliveries.webhook_id, webhook_id)

/** A delivery by its id, or the newest one of a message. */
export async function deliveryOf(tx: Tx, webhook: Webhook, id: string) {
  const byId = or(eq(deliveries.delivery_id, id), eq(deliveries.message_id, id))
  const [delivery] = await tx
    .select()
    .from(deliveries)
    .where(and(ofWebhook(webhook), byId))
    .orderBy(desc(deliveries.row_id))
    .limit(1)
  return delivery
}

export async function countAttempts(tx: Tx, webhook: Webhook, message_id: string) {
  const [row] = await tx
    .select({ many: count() })
    .from(deliveries)
    .where(and(ofWebhook(webhook), eq(deliveries.message_id, message_id)))
  return row!.many
}

const BATCH_SIZE = 1000

/** Deletes old deliveries; returns the number of rows. */
export async function sweepDeliveries(tx: Tx, now: Date): Promise<number> {
  const before = new Date(now.getTime() - STORED.days * 86_400_000)
  let removed = 0
  for (const webhook of await tx.select().from(webhooks))
    removed += await sweepWebhook(tx, webhook, before)
  return removed
}

async function sweepWebhook(tx: Tx, webhook: Webhook, before: Date): Promise<number> {
  const newestFirst = () =>
    tx.select({ row_id: deliveries.row_id }).from(deliveries).where(ofWebhook(webhook))
  const [last] = await newestFirst().orderBy(desc(deliveries.row_id)).limit(1).offset(STORED.rows)
  const rows = await tx
    .select({ row_id: deliveries.row_id })
    .from(deliveries)
    .where(
      and(
        ofWebhook(webhook),
        or(lt(deliveries.at, before), last && lte(deliveries.row_id, last.row_id)),
      ),
    )
    .orderBy(deliveries.row_id)
    .limit(BATCH_SIZE)
  const ids = rows.map(({ row_id }) => row_id)
  if (ids.length) await tx.delete(deliveries).where(inArray(deliveries.row_id, ids))
  return ids.length
}
