import { index, int, longId, table, text, time, uniqueIndex } from '../../store/columns.ts'
import { webhooks } from '../agents/index.ts'

export { webhooks }

/** What was sent, each attempt a row; the newest are kept. */
export const webhookDeliveries = table(
  'webhook_deliveries',
  {
    row_id: longId('row_id'),
    delivery_id: text('delivery_id').notNull(),
    team_id: int('team_id').notNull(),
    webhook_id: int('webhook_id')
      .notNull()
      .references(() => webhooks.webhook_id),
    message_id: text('message_id').notNull(),
    type: text('type').notNull(),
    kind: text('kind').$type<'message' | 'test' | 'replay'>().notNull(),
    /** From 1, of this message. */
    attempt: int('attempt').notNull(),
    at: time('at').notNull(),
    ms: int('ms').notNull(),
    /** Null: there was no answer. */
    status: int('status'),
    /** Null where it was delivered. */
    error: text('error'),
    /** Of a test, which no change of the log tells of. */
    body: text('body'),
  },
  (t) => [
    uniqueIndex('webhook_deliveries_public').on(t.delivery_id),
    index('webhook_deliveries_newest').on(t.team_id, t.webhook_id, t.row_id),
  ],
)
