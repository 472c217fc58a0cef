import { index, int, longId, table, text, time, uniqueIndex } from '../../../../store/columns.ts'
import { webhooks } from '../../agents/model/index.ts'

export { webhooks }

/** The delivery attempts of each webhook; old ones are deleted. */
export const webhookDeliveries = table(
  'webhook_deliveries',
  { exported: 'the delivery log of one server' },
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
    /** The number of the attempt for this message, from 1. */
    attempt: int('attempt').notNull(),
    at: time('at').notNull(),
    ms: int('ms').notNull(),
    /** Null if there was no answer. */
    status: int('status'),
    /** Null if it was delivered. */
    error: text('error'),
    /** The body of a test, because no change in the log contains it. */
    body: text('body'),
  },
  (t) => [
    uniqueIndex('webhook_deliveries_public').on(t.delivery_id),
    index('webhook_deliveries_newest').on(t.team_id, t.webhook_id, t.row_id),
  ],
)
