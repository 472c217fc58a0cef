import { type Static, Type as t } from '@sinclair/typebox'
import { getTableColumns } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { lockTeam } from '../../../identity/teams/model/index.ts'
import { AgentRef, type NamedAgent } from '../../agents/model/index.ts'
import { findWebhookAgent } from '../model/access.ts'
import { type Delivery, recentDeliveries } from '../model/deliveries.ts'
import { deliveryRecord } from '../model/delivery-log.ts'
import { OVERLAP_MS } from '../model/rules.ts'
import { Deleted, DeliveryRow, Rotated, WebhookRow } from '../model/schema.ts'
import { newSecret } from '../model/secrets.ts'
import {
  deleteWebhook,
  found,
  lockWebhook,
  ofWebhook,
  setWebhook,
  type Webhook,
  waitingFor,
  webhookOf,
} from '../model/store.ts'
import { webhookDeliveries as deliveries } from '../model/tables.ts'

export const PLACE = '/api/v1/agents/:agent_id/webhook'

export const get = operation({
  name: 'webhooks.get',
  summary: 'The webhook of an agent with its latest deliveries, without its secret',
  needs: 'profile:read',
  dependsOn: ['webhook'],
  on: {
    rest: `GET ${PLACE}`,
    mcp: 'svc_webhooks.get',
    cli: { usage: 'webhooks get <agent_id>', example: 'Bot' },
    chat: true,
  },
  input: t.Object({ agent_id: AgentRef }),
  output: WebhookRow,
  async run({ agent_id }, ctx) {
    const agent = await findWebhookAgent(ctx, agent_id)
    const webhook = found(await webhookOf(ctx.tx, agent))
    const { failures, resting_until, delivered_at, old_until } = webhook
    const iso = (at: Date | null) => at?.toISOString() ?? null
    return {
      ...fieldsOf(agent, webhook),
      waiting: await waitingFor(ctx.tx, agent),
      failures,
      resting_until: iso(resting_until),
      last_delivered_at: iso(delivered_at),
      old_secret_until: iso(old_until && old_until > ctx.now ? old_until : null),
      recent_deliveries: await recentDeliveries(ctx.tx, webhook),
    }
  },
})

export const fieldsOf = ({ agent_id }: NamedAgent, webhook: Webhook) => ({
  agent_id,
  url: webhook.url,
  events: webhook.events as Static<typeof WebhookRow>['events'],
  active: webhook.active,
  project_id: webhook.project_id,
  created_at: webhook.created_at.toISOString(),
  updated_at: webhook.updated_at.toISOString(),
})

export const rotate = operation({
  name: 'webhooks.rotate',
  summary: 'Rotate the secret, shown only once; the old one also signs for one more day',
  needs: 'profile:write',
  destroys: true,
  on: {
    rest: `POST ${PLACE}/rotate`,
    mcp: 'svc_webhooks.rotate',
    cli: { usage: 'webhooks rotate <agent_id>', example: 'Bot' },
  },
  input: t.Object({ agent_id: AgentRef }),
  output: Rotated,
  prepare: (_, { server }) => newSecret(server),
  async run({ agent_id }, ctx, { seed, secret }) {
    const [agent, webhook] = await lockOwnWebhook(ctx, agent_id)
    const old_until = new Date(ctx.now.getTime() + OVERLAP_MS)
    const { now: updated_at } = ctx
    await setWebhook(ctx.tx, webhook, { seed, old_seed: webhook.seed, old_until, updated_at })
    emitWebhook(ctx, 'rotated', agent, {})
    return { agent_id: agent.agent_id, secret, old_secret_until: old_until.toISOString() }
  },
})

export const remove = operation({
  name: 'webhooks.delete',
  summary: 'Delete the webhook of an agent; unacknowledged messages go to polling',
  needs: 'profile:write',
  destroys: true,
  on: {
    rest: `DELETE ${PLACE}`,
    mcp: 'svc_webhooks.delete',
    cli: { usage: 'webhooks delete <agent_id>', example: 'Bot' },
    chat: true,
  },
  input: t.Object({ agent_id: AgentRef }),
  output: Deleted,
  async run({ agent_id }, ctx) {
    const [agent, webhook] = await lockOwnWebhook(ctx, agent_id)
    const released = await deleteWebhook(ctx.tx, webhook)
    emitWebhook(ctx, 'deleted', agent, {})
    return { agent_id: agent.agent_id, deleted: true as const, released }
  },
})

export const list = operation({
  name: 'webhooks.deliveries',
  summary: 'Deliveries of a webhook with their results, newest first',
  needs: 'profile:read',
  dependsOn: ['webhook'],
  on: {
    rest: `GET ${PLACE}/deliveries`,
    cli: { usage: 'webhooks deliveries <agent_id>', example: 'Bot' },
  },
  input: listInput({ agent_id: AgentRef }, ['createdAt']),
  output: listOf(DeliveryRow),
  async run({ agent_id, ...paging }, ctx) {
    const webhook = found(await webhookOf(ctx.tx, await findWebhookAgent(ctx, agent_id)))
    const { rows, page } = await pageOf(ctx.tx, paging, {
      name: `webhook_deliveries ${webhook.webhook_id}`,
      from: deliveries,
      columns: getTableColumns(deliveries),
      where: ofWebhook(webhook),
      sorts: { createdAt: { key: deliveries.row_id } },
      id: 'row_id',
    })
    return { items: (rows as Delivery[]).map(deliveryRecord), page }
  },
})

export async function lockOwnWebhook(ctx: Context, ref: string): Promise<[NamedAgent, Webhook]> {
  const agent = await findWebhookAgent(ctx, ref)
  await lockTeam(ctx.tx, agent.team_id)
  return [agent, found(await lockWebhook(ctx.tx, agent))]
}

/** For the audit log; never contains the secret. */
export function emitWebhook(
  ctx: Context,
  event: 'configured' | 'rotated' | 'deleted',
  { team_id, agent_id, name, owner_id }: NamedAgent,
  extra: Record<string, unknown>,
): void {
  ctx.emit(`webhook.${event}`, { team_id }, { agent_id, name, owner_id, ...extra })
}

/** Throws if the webhook is inactive, which is not sent tests either. */
export function requireActive({ active }: Webhook): void {
  if (!active)
    throw fault.conflict(
      'This webhook is not active, so nothing is sent to it',
      { field: 'agent_id' },
      'Activate it: configure it with active true',
    )
}
