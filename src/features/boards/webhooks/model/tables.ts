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
} from '../../../../store/columns.ts'
import { actors } from '../../../identity/people/model/index.ts'
import { projects } from '../../projects/model/index.ts'
import type { EventName } from './events.ts'

export const boardWebhooks = table(
  'board_webhooks',
  { exported: 'send to addresses of one installation, with its secrets' },
  {
    webhook_id: id('webhook_id'),
    team_id: int('team_id').notNull(),
    /** Null: every board of the team that its creator can see. */
    project_id: int('project_id').references(() => projects.project_id),
    /** Only events that this person can see are sent. */
    created_by: int('created_by')
      .notNull()
      .references(() => actors.actor_id),
    url: text('url').notNull(),
    events: json<EventName[]>('events').notNull(),
    /** Only of tasks in one of these columns; null: of all. */
    section_ids: json<number[]>('section_ids'),
    /** Only of tasks with one of these labels; null: of all. */
    label_ids: json<number[]>('label_ids'),
    active: bool('active').notNull(),
    /** Why the server deactivated it; null if a person did, or nobody. */
    paused_reason: text('paused_reason'),
    /** The secrets are derived from these; see `secrets.ts` of the webhooks of agents. */
    seed: text('seed').notNull(),
    old_seed: text('old_seed'),
    old_until: time('old_until'),
    failures: int('failures').notNull(),
    resting_until: time('resting_until'),
    delivered_at: time('delivered_at'),
    created_at: time('created_at').notNull(),
    updated_at: time('updated_at').notNull(),
  },
  (t) => [
    index('board_webhooks_place').on(t.team_id, t.project_id),
    index('board_webhooks_active').on(t.active, t.team_id),
  ],
)

/** What is to be sent. A row is deleted once it was delivered. */
export const boardWebhookMessages = table(
  'board_webhook_messages',
  { exported: 'the queue of one server' },
  {
    row_id: longId('row_id'),
    team_id: int('team_id').notNull(),
    webhook_id: int('webhook_id')
      .notNull()
      .references(() => boardWebhooks.webhook_id),
    /** The board that the creator must see when it is sent. */
    project_id: int('project_id').notNull(),
    message_id: text('message_id').notNull(),
    type: text('type').notNull(),
    body: text('body').notNull(),
    attempts: int('attempts').notNull(),
    next_attempt_at: time('next_attempt_at').notNull(),
    sending_until: time('sending_until'),
  },
  (t) => [
    uniqueIndex('board_webhook_messages_once').on(t.webhook_id, t.message_id),
    index('board_webhook_messages_due').on(t.webhook_id, t.next_attempt_at),
  ],
)

/** The attempts of each webhook, with what was sent; old ones are deleted. */
export const boardWebhookDeliveries = table(
  'board_webhook_deliveries',
  { exported: 'the delivery log of one server' },
  {
    row_id: longId('row_id'),
    delivery_id: text('delivery_id').notNull(),
    team_id: int('team_id').notNull(),
    webhook_id: int('webhook_id')
      .notNull()
      .references(() => boardWebhooks.webhook_id),
    project_id: int('project_id'),
    message_id: text('message_id').notNull(),
    type: text('type').notNull(),
    kind: text('kind').$type<'message' | 'test' | 'replay'>().notNull(),
    attempt: int('attempt').notNull(),
    at: time('at').notNull(),
    ms: int('ms').notNull(),
    /** Null if there was no answer. */
    status: int('status'),
    /** Null if it was delivered. */
    error: text('error'),
    body: text('body').notNull(),
  },
  (t) => [
    uniqueIndex('board_webhook_deliveries_public').on(t.delivery_id),
    index('board_webhook_deliveries_newest').on(t.webhook_id, t.row_id),
  ],
)
