import {
  bool,
  id,
  index,
  int,
  json,
  longId,
  table,
  text,
  time,
  uniqueIndex,
} from '../../store/columns.ts'
import { actors } from '../people/index.ts'
import { projects } from '../projects/index.ts'

/** Where an agent wants to be called. Its secret stands nowhere: it is derived from the seed. */
export const webhooks = table(
  'webhooks',
  {
    webhook_id: id('webhook_id'),
    team_id: int('team_id').notNull(),
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
    url: text('url').notNull(),
    events: json<string[]>('events').notNull(),
    active: bool('active').notNull(),
    /** Null: every board that the agent can see. */
    project_id: int('project_id').references(() => projects.project_id),
    seed: text('seed').notNull(),
    /** The one before, which signs as well until then. */
    old_seed: text('old_seed'),
    old_until: time('old_until'),
    /** Failures since something was last delivered. */
    failures: int('failures').notNull(),
    /** Before this, an endpoint that keeps failing is left alone. */
    resting_until: time('resting_until'),
    delivered_at: time('delivered_at'),
    created_at: time('created_at').notNull(),
    updated_at: time('updated_at').notNull(),
  },
  (t) => [uniqueIndex('webhooks_agent').on(t.actor_id), index('webhooks_team').on(t.team_id)],
)

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
