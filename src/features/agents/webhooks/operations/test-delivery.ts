import { Type as t } from '@sinclair/typebox'
import type { Context, PrepareContext } from '../../../../kernel/caller.ts'
import type { Outcome } from '../../../../kernel/delivery-queue.ts'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { agentFor } from '../../../identity/callers/model/index.ts'
import { AgentRef, type NamedAgent } from '../../agents/model/index.ts'
import { currentMessage } from '../../messages/model/index.ts'
import { findWebhookAgent, type Seer } from '../model/access.ts'
import { attempt, type WebhookRequest } from '../model/attempt.ts'
import { agentDeliveries, type Delivery, recordDelivery } from '../model/deliveries.ts'
import { markAnswered, markArrived, requestOf } from '../model/queue.ts'
import { DeliveryId, DeliveryRow, TEST_TYPE } from '../model/schema.ts'
import { found, type Webhook, webhookOf } from '../model/store.ts'
import { lockOwnWebhook, PLACE, requireActive } from './webhooks.ts'

export const test = operation({
  name: 'webhooks.test',
  summary: 'Send a test to the webhook of an agent now, and return the result',
  needs: 'profile:write',
  on: {
    rest: `POST ${PLACE}/test`,
    mcp: 'svc_webhooks.test',
    cli: { usage: 'webhooks test <agent_id>', example: 'Bot' },
    chat: true,
  },
  input: t.Object({ agent_id: AgentRef }),
  output: DeliveryRow,
  async prepare({ agent_id }, context) {
    const { webhook, request } = await readAs(context, async (viewer) => {
      const [agent, webhook] = await ready(viewer, agent_id)
      return { webhook, request: testRequest(agent, context) }
    })
    return {
      request,
      outcome: await attempt(context.server, webhook, request, { now: context.now }),
    }
  },
  run: ({ agent_id }, ctx, { request, outcome }) =>
    recordTrial(ctx, agent_id, { kind: 'test', attempt: 1, request, isKept: true }, outcome),
})

export const replay = operation({
  name: 'webhooks.replay',
  summary: 'Send a delivery again, with the same webhook-id',
  needs: 'profile:write',
  on: {
    rest: `POST ${PLACE}/replay`,
    mcp: 'svc_webhooks.replay',
    cli: { usage: 'webhooks replay <agent_id> <delivery_id>', example: 'Bot dlv_1' },
    chat: true,
  },
  input: t.Object({ agent_id: AgentRef, delivery_id: DeliveryId }),
  output: DeliveryRow,
  async prepare({ agent_id, delivery_id }, context) {
    const { webhook, ...details } = await readAs(context, async (viewer) => {
      const [agent, webhook] = await ready(viewer, agent_id)
      const delivery = await agentDeliveries.find(viewer.tx, webhook, delivery_id)
      if (!delivery) throw unknown(delivery_id)
      const request = await requestForReplay(viewer, agent, delivery)
      const attempt = 1 + (await agentDeliveries.countAttempts(viewer.tx, webhook, request.id))
      return { webhook, request, attempt, isKept: delivery.body !== null }
    })
    return {
      delivery: details,
      outcome: await attempt(context.server, webhook, details.request, { now: context.now }),
    }
  },
  run: ({ agent_id }, ctx, { delivery: details, outcome }) =>
    recordTrial(ctx, agent_id, { kind: 'replay', ...details }, outcome),
})

const readAs = <T>(context: PrepareContext, job: (viewer: Seer) => Promise<T>): Promise<T> =>
  context.read((tx) => job({ tx, caller: context.caller }))

async function ready(viewer: Seer, ref: string): Promise<[NamedAgent, Webhook]> {
  const agent = await findWebhookAgent(viewer, ref)
  const webhook = found(await webhookOf(viewer.tx, agent))
  requireActive(webhook)
  if (agent.state !== 'active')
    throw fault.conflict(
      `${agent.name} is ${agent.state}, so nothing is sent to its webhook`,
      { field: 'agent_id', state: agent.state },
      'Enable it first: POST /api/v1/agents/{agent_id}/enable',
    )
  return [agent, webhook]
}

function testRequest({ agent_id, name }: NamedAgent, { now }: PrepareContext): WebhookRequest {
  const id = `msg_test_${Bun.randomUUIDv7('hex').replaceAll('-', '')}`
  const actor = { kind: 'agent', agent_id, name }
  const data = { text: 'This is a test of the webhook' }
  const body = { id, type: TEST_TYPE, created_at: now.toISOString(), project_id: null, actor, data }
  return { id, type: TEST_TYPE, body: JSON.stringify(body) }
}

async function requestForReplay(
  { tx }: Seer,
  agent: NamedAgent,
  delivery: Delivery,
): Promise<WebhookRequest> {
  const { message_id: id, type, body } = delivery
  if (body !== null) return { id, type, body }
  const caller = await agentFor(tx, agent.actor_id)
  const message = caller && (await currentMessage(tx, caller, id))
  if (message) return requestOf(message)
  throw fault.conflict(
    'The agent no longer has access to the content of this delivery',
    { field: 'delivery_id', value: delivery.delivery_id },
    'Give the agent access to the board again, then replay',
  )
}

const unknown = (delivery_id: string) =>
  fault.notFound(
    'delivery_id',
    'This webhook has no delivery or message with that id',
    delivery_id,
    'List them: svc_webhooks get, or GET /api/v1/agents/{agent_id}/webhook/deliveries; the latest 1,000 of the last 30 days are kept',
  )

/** Records a test or replay. A success acknowledges the message, and resets the failures. */
async function recordTrial(
  ctx: Context,
  ref: string,
  delivery: Parameters<typeof recordDelivery>[2],
  outcome: Outcome,
): Promise<DeliveryRow> {
  const { tx, now } = ctx
  const [agent, webhook] = await lockOwnWebhook(ctx, ref)
  const row = await recordDelivery(tx, webhook, delivery, outcome)
  if (!row.delivered) return row
  await markAnswered(tx, webhook, now)
  await markArrived(tx, agent, row.message_id)
  return row
}
