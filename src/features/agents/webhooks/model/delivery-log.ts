import { and, count, desc, eq, inArray, lt, lte, or } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '../../../../kernel/caller.ts'
import { type DeliveryRow, KEPT } from './schema.ts'

/** A table of delivery attempts. */
type LogTable = PgTable &
  Record<'row_id' | 'delivery_id' | 'message_id' | 'webhook_id' | 'at', PgColumn>

/** What of an attempt is shown. */
type Shown = Omit<DeliveryRow, 'delivered' | 'at'> & { at: Date }

interface OfWebhook {
  webhook_id: number
}

const BATCH_SIZE = 1000
const DAY_MS = 86_400_000

export const newDeliveryId = () => `dlv_${Bun.randomUUIDv7('hex').replaceAll('-', '')}`

export const deliveryRecord = (row: Shown): DeliveryRow => ({
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

/** The reads and the sweep of such a table, which every kind of webhook has. */
export function deliveryLog<Table extends LogTable>(
  log: Table,
  webhooks: PgTable & { webhook_id: PgColumn },
) {
  const ofWebhook = ({ webhook_id }: OfWebhook) => eq(log.webhook_id, webhook_id)

  async function sweepWebhook(tx: Tx, webhook: OfWebhook, before: Date): Promise<number> {
    const rowIds = () => tx.select({ row_id: log.row_id }).from(log as PgTable)
    const [last] = await rowIds()
      .where(ofWebhook(webhook))
      .orderBy(desc(log.row_id))
      .limit(1)
      .offset(KEPT.rows)
    const old = or(lt(log.at, before), last && lte(log.row_id, last.row_id))
    const rows = await rowIds()
      .where(and(ofWebhook(webhook), old))
      .orderBy(log.row_id)
      .limit(BATCH_SIZE)
    const ids = rows.map(({ row_id }) => row_id)
    if (ids.length) await tx.delete(log).where(inArray(log.row_id, ids))
    return ids.length
  }

  return {
    ofWebhook,
    /** A delivery by its id, or the newest one of a message. */
    async find(tx: Tx, webhook: OfWebhook, id: string): Promise<Table['$inferSelect'] | undefined> {
      const byId = or(eq(log.delivery_id, id), eq(log.message_id, id))
      const [delivery] = await tx
        .select()
        .from(log as PgTable)
        .where(and(ofWebhook(webhook), byId))
        .orderBy(desc(log.row_id))
        .limit(1)
      return delivery
    },
    /** How often this message was sent. */
    async countAttempts(tx: Tx, webhook: OfWebhook, message_id: string): Promise<number> {
      const [row] = await tx
        .select({ many: count() })
        .from(log as PgTable)
        .where(and(ofWebhook(webhook), eq(log.message_id, message_id)))
      return row!.many
    },
    /** Deletes old deliveries; returns the number of rows. */
    async sweep(tx: Tx, now: Date): Promise<number> {
      const before = new Date(now.getTime() - KEPT.days * DAY_MS)
      let removed = 0
      const all = await tx.select({ id: webhooks.webhook_id }).from(webhooks as PgTable)
      for (const { id } of all)
        removed += await sweepWebhook(tx, { webhook_id: Number(id) }, before)
      return removed
    },
  }
}
