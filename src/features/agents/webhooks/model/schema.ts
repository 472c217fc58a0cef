import { type Static, Type as t } from '@sinclair/typebox'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { Timestamp } from '../../../identity/people/model/index.ts'
import { EVENTS } from '../../messages/model/index.ts'

/** How many deliveries of a webhook are kept, and for how long. */
export const KEPT = { rows: 1000, days: 30 }
export const TEST_TYPE = 'webhook.test'

const orNull = <T extends ReturnType<typeof t.String | typeof t.Integer>>(one: T) =>
  t.Union([one, t.Null()])

export const DeliveryId = t.String({
  minLength: 1,
  maxLength: 100,
  description: 'Id of a delivery, or of its message (webhook-id)',
})
export const Url = t.String({ minLength: 1, maxLength: 2000, description: 'https URL' })
export const EventName = t.Union(EVENTS.map((name) => t.Literal(name)))
export const Events = t.Array(t.String({ maxLength: 60, names: EVENTS }), {
  minItems: 1,
  maxItems: 50,
  description: EVENTS.join(', '),
})

const fields = {
  agent_id: t.String(),
  url: t.String(),
  events: t.Array(EventName),
  active: t.Boolean(),
  project_id: t.Union([ProjectId, t.Null()]),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const DeliveryRow = t.Object(
  {
    delivery_id: t.String(),
    message_id: t.String({ description: 'Value of the webhook-id header' }),
    type: t.String(),
    kind: t.Union([t.Literal('message'), t.Literal('test'), t.Literal('replay')]),
    attempt: t.Integer({ description: 'Attempt number for this message' }),
    delivered: t.Boolean(),
    status: orNull(t.Integer()),
    error: orNull(t.String()),
    ms: t.Integer(),
    at: Timestamp,
  },
  { columns: ['delivery_id', 'type', 'delivered', 'status', 'error', 'at'] },
)
export type DeliveryRow = Static<typeof DeliveryRow>

export const WebhookRow = t.Object({
  ...fields,
  waiting: t.Integer({ description: 'Number of pending messages' }),
  failures: t.Integer({ description: 'Consecutive failures since the last successful delivery' }),
  resting_until: orNull(Timestamp),
  last_delivered_at: orNull(Timestamp),
  old_secret_until: orNull(Timestamp),
  recent_deliveries: t.Array(DeliveryRow, { description: 'Newest first, at most 10' }),
})
export type WebhookRow = Static<typeof WebhookRow>

export const Configured = t.Object(
  {
    ...fields,
    created: t.Boolean(),
    secret: t.Optional(t.String({ description: 'Secret of a new webhook, shown only once' })),
  },
  { secret: true },
)
export const Rotated = t.Object(
  {
    agent_id: t.String(),
    secret: t.String({ description: 'Shown only once' }),
    old_secret_until: Timestamp,
  },
  { secret: true },
)
export const Deleted = t.Object({
  agent_id: t.String(),
  deleted: t.Literal(true),
  released: t.Integer({ description: 'Number of messages released to polling' }),
})
