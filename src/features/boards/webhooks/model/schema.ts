import { type Static, Type as t } from '@sinclair/typebox'
import { Actor, Id, Timestamp } from '../../../identity/people/model/index.ts'
import { TeamId } from '../../../identity/teams/model/index.ts'
import { LabelId } from '../../labels/model/index.ts'
import { ProjectId } from '../../projects/model/index.ts'
import { SectionId } from '../../sections/model/index.ts'
import { EVENT_NAMES } from './events.ts'

/** Per board, and per team. */
export const MAX_WEBHOOKS = 20
export const TEST_TYPE = 'webhook.test'
/** The type of what a rule of the board sends. */
export const RULE_TYPE = 'rule.fired'

const orNull = <T extends ReturnType<typeof t.String | typeof t.Integer>>(one: T) =>
  t.Union([one, t.Null()])

export const WebhookId = Id('Id of a webhook')
export const DeliveryId = t.String({
  minLength: 1,
  maxLength: 100,
  description: 'Id of a delivery, or of its message (webhook-id)',
})
export const place = {
  project_id: t.Optional(ProjectId),
  team_id: t.Optional({ ...TeamId, needs: 'teams:manage' }),
}
const idList = (id: typeof SectionId | typeof LabelId, description: string) =>
  t.Optional(t.Union([t.Array(id, { minItems: 1, maxItems: 50 }), t.Null()], { description }))

export const settings = {
  url: t.String({ minLength: 1, maxLength: 2000, description: 'https URL' }),
  events: t.Array(t.String({ maxLength: 60, names: EVENT_NAMES }), {
    minItems: 1,
    maxItems: 50,
    description: EVENT_NAMES.join(', '),
  }),
  section_ids: idList(SectionId, 'Only of tasks in one of these columns; null: of all'),
  label_ids: idList(LabelId, 'Only of tasks with one of these labels; null: of all'),
  active: t.Optional(t.Boolean()),
}

const fields = {
  webhook_id: WebhookId,
  project_id: t.Union([ProjectId, t.Null()]),
  url: t.String(),
  events: t.Array(t.String()),
  section_ids: t.Union([t.Array(SectionId), t.Null()]),
  label_ids: t.Union([t.Array(LabelId), t.Null()]),
  active: t.Boolean(),
}

export const WebhookRow = t.Object(
  {
    ...fields,
    paused_reason: t.Union([t.String(), t.Null()], { description: 'Why the server stopped it' }),
    waiting: t.Integer({ description: 'Number of messages to send' }),
    failures: t.Integer({ description: 'Consecutive failures since the last success' }),
    resting_until: orNull(Timestamp),
    last_delivered_at: orNull(Timestamp),
    old_secret_until: orNull(Timestamp),
    created_by: Actor,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { columns: ['webhook_id', 'url', 'events', 'active', 'waiting', 'failures'] },
)
export type WebhookRow = Static<typeof WebhookRow>

export const NewWebhook = t.Object(
  { ...fields, secret: t.String({ description: 'Shown only once' }) },
  { secret: true },
)
export const WebhookReceipt = t.Object({ ...fields, changed: t.Array(t.String()) })
export const Rotated = t.Object(
  {
    webhook_id: WebhookId,
    secret: t.String({ description: 'Shown only once' }),
    old_secret_until: Timestamp,
  },
  { secret: true },
)
