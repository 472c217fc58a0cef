import { and, count, desc, eq, inArray, lt, lte, or } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import type { Outcome } from '../../../../kernel/delivery-queue.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import type { WebhookRequest } from './attempt.ts'
import { type DeliveryRow, KEPT } from './schema.ts'
import { ofWebhook, type Webhook } from './store.ts'
import { webhookDeliveries as deliveries, webhooks } from './tables.ts'

export type Delivery = typeof deliveries.$inferSelect

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
    delivery_id: `dlv_${Bun.randomUUIDv7('hex').replaceAll('-', '')}`,
    message_id: request.id,
    type: request.type,
    body: isKept ? request.body : null,
  }
  await statements(tx).insert.execute(row)
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

/** A delivery by its id, or the newest one of a message. */
export async function deliveryOf(
  tx: Tx,
  webhook: Webhook,
  id: string,
): Promise<Delivery | undefined> {
  const byId = or(eq(deliveries.delivery_id, id), eq(deliveries.message_id, id))
  const [delivery] = await tx
    .select()
    .from(deliveries)
    .where(and(ofWebhook(webhook), byId))
    .orderBy(desc(deliveries.row_id))
    .limit(1)
  return delivery
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

/** How often this message was sent. */
export async function countAttempts(tx: Tx, webhook: Webhook, message_id: string): Promise<number> {
  const [row] = await tx
    .select({ many: count() })
    .from(deliveries)
    .where(and(ofWebhook(webhook), eq(deliveries.message_id, message_id)))
  return row!.many
}

const RECENT = 10
const BATCH_SIZE = 1000

/** Deletes old deliveries; returns the number of rows. */
export async function sweepDeliveries(tx: Tx, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT.days * 86_400_000)
  let removed = 0
  for (const webhook of await tx.select().from(webhooks))
    removed += await sweepWebhook(tx, webhook, before)
  return removed
}

async function sweepWebhook(tx: Tx, webhook: Webhook, before: Date): Promise<number> {
  const own = ofWebhook(webhook)
  const [last] = await tx
    .select({ row_id: deliveries.row_id })
    .from(deliveries)
    .where(own)
    .orderBy(desc(deliveries.row_id))
    .limit(1)
    .offset(KEPT.rows)
  const old = or(lt(deliveries.at, before), last && lte(deliveries.row_id, last.row_id))
  const rows = await tx
    .select({ row_id: deliveries.row_id })
    .from(deliveries)
    .where(and(own, old))
    .orderBy(deliveries.row_id)
    .limit(BATCH_SIZE)
  const ids = rows.map(({ row_id }) => row_id)
  if (ids.length) await tx.delete(deliveries).where(inArray(deliveries.row_id, ids))
  return ids.length
}
