import { Type as t } from '@sinclair/typebox'
import { getTableColumns } from 'drizzle-orm'
import type { Context, PrepareContext } from '../../../../kernel/caller.ts'
import type { Outcome } from '../../../../kernel/delivery-queue.ts'
import { fault } from '../../../../kernel/fault.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { attempt, DeliveryRow, deliveryRecord } from '../../../agents/webhooks/model/index.ts'
import { findVisibleProject } from '../../projects/model/index.ts'
import { type Delivery, placeDeliveries, recordDelivery, type Sent } from '../model/deliveries.ts'
import { markAnswered, takeOut } from '../model/queue.ts'
import { DeliveryId, place, TEST_TYPE, WebhookId } from '../model/schema.ts'
import { findPlace, findWebhook, type Webhook } from '../model/store.ts'
import { boardWebhookDeliveries as deliveries } from '../model/tables.ts'
import { managesTeam, peopleOnly, ROUTE, readsTeam } from './routes.ts'

export const list = operation({
  name: 'board_webhooks.deliveries',
  summary: 'Deliveries of a webhook with their results, newest first',
  needs: 'projects:read',
  elevatedScope: readsTeam,
  dependsOn: ['board_webhook'],
  on: {
    rest: `GET ${ROUTE}/:webhook_id/deliveries`,
    cli: { usage: 'hooks deliveries <webhook_id>', example: '1 --project-id HOM' },
  },
  input: listInput({ ...place, webhook_id: WebhookId }, ['createdAt']),
  output: listOf(DeliveryRow),
  async run({ project_id, team_id, webhook_id, ...paging }, ctx) {
    const at = await findPlace(ctx, { project_id, team_id })
    const webhook = await findWebhook(ctx.tx, at, webhook_id)
    const { body: _, ...columns } = getTableColumns(deliveries)
    const { rows, page } = await pageOf(ctx.tx, paging, {
      name: `board_webhook_deliveries ${webhook_id}`,
      from: deliveries,
      columns,
      where: placeDeliveries.ofWebhook(webhook),
      sorts: { createdAt: { key: deliveries.row_id } },
      id: 'row_id',
    })
    return { items: (rows as Delivery[]).map(deliveryRecord), page }
  },
})

export const test = operation({
  name: 'board_webhooks.test',
  summary: 'Send a test to a webhook of a board or a team now, and return the result',
  needs: 'projects:manage',
  elevatedScope: managesTeam,
  destroys: true,
  on: {
    rest: `POST ${ROUTE}/:webhook_id/test`,
    cli: { usage: 'hooks test <webhook_id>', example: '1 --project-id HOM' },
  },
  input: t.Object({ ...place, webhook_id: WebhookId }),
  output: DeliveryRow,
  async prepare(input, context) {
    const webhook = await ready(context, input)
    const { project_id } = webhook
    const request = testRequest(webhook, context)
    return send(context, webhook, { kind: 'test', attempt: 1, project_id, request })
  },
  run: record,
})

export const replay = operation({
  name: 'board_webhooks.replay',
  summary: 'Send a delivery of a webhook again, with the same webhook-id',
  needs: 'projects:manage',
  elevatedScope: managesTeam,
  destroys: true,
  on: {
    rest: `POST ${ROUTE}/:webhook_id/replay`,
    cli: {
      usage: 'hooks replay <webhook_id> <delivery_id>',
      example: '1 dlv_1 --project-id HOM',
    },
  },
  input: t.Object({ ...place, webhook_id: WebhookId, delivery_id: DeliveryId }),
  output: DeliveryRow,
  async prepare({ delivery_id, ...input }, context) {
    const webhook = await ready(context, input)
    const sent = await context.read(async (tx): Promise<Sent> => {
      const delivery = await placeDeliveries.find(tx, webhook, delivery_id)
      if (!delivery) throw unknown(delivery_id)
      const { project_id, message_id: id, type, body } = delivery
      if (project_id && !(await findVisibleProject({ tx, caller: context.caller }, project_id)))
        throw unknown(delivery_id)
      const attempts = await placeDeliveries.countAttempts(tx, webhook, id)
      return { kind: 'replay', attempt: attempts + 1, project_id, request: { id, type, body } }
    })
    return send(context, webhook, sent)
  },
  run: record,
})

interface Input {
  project_id?: number
  team_id?: number | string
  webhook_id: number
}

/** The webhook, if the caller may send to it. */
function ready(context: PrepareContext, { webhook_id, ...input }: Input): Promise<Webhook> {
  const needs = managesTeam(input) ?? 'projects:manage'
  return context.read(async (tx) => {
    const ctx = { ...context, tx, needs } as unknown as Context
    peopleOnly(ctx)
    const webhook = await findWebhook(tx, await findPlace(ctx, input), webhook_id)
    if (webhook.active) return webhook
    throw fault.conflict(
      'This webhook is not active, so nothing is sent to it',
      { field: 'webhook_id' },
      'Activate it: update it with active true',
    )
  })
}

interface Trial {
  sent: Sent
  outcome: Outcome
}

const send = async (context: PrepareContext, webhook: Webhook, sent: Sent): Promise<Trial> => ({
  sent,
  outcome: await attempt(context.server, webhook, sent.request, { now: context.now }),
})

/** A message that arrived this way is not sent again. */
async function record(
  { webhook_id, project_id, team_id }: Input,
  ctx: Context,
  { sent, outcome }: Trial,
): Promise<DeliveryRow> {
  const place = await findPlace(ctx, {
    ...(project_id !== undefined && { project_id }),
    ...(team_id !== undefined && { team_id }),
  })
  const webhook = await findWebhook(ctx.tx, place, webhook_id)
  const row = await recordDelivery(ctx.tx, webhook, sent, outcome)
  if (!row.delivered) return row
  await markAnswered(ctx.tx, webhook, ctx.now)
  await takeOut(ctx.tx, webhook, row.message_id)
  return row
}

function testRequest({ webhook_id, project_id }: Webhook, { now, caller }: PrepareContext) {
  const id = `msg_test_${Bun.randomUUIDv7('hex').replaceAll('-', '')}`
  const actor = { kind: 'person', user_id: caller.actor_id, name: caller.name }
  const data = { webhook_id, text: 'This is a test of the webhook' }
  const created_at = now.toISOString()
  const body = JSON.stringify({ id, type: TEST_TYPE, created_at, project_id, actor, data })
  return { id, type: TEST_TYPE, body }
}

const unknown = (delivery_id: string) =>
  fault.notFound(
    'delivery_id',
    'This webhook has no delivery or message with that id',
    delivery_id,
    'The latest 1,000 deliveries of the last 30 days are stored',
  )
