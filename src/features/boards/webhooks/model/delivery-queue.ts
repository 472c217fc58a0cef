import type { DeliveryQueue, DeliveryServices } from '../../../../kernel/delivery-queue.ts'
import { attempt } from '../../../agents/webhooks/model/index.ts'
import { placeDeliveries } from './deliveries.ts'
import { claim, dueWebhooks, freeClaims, recordOutcome, unclaim } from './queue.ts'
import type { Webhook } from './store.ts'

/** The messages to the webhooks of boards and teams. */
export function placeWebhooks({ store, server, clock }: DeliveryServices): DeliveryQueue {
  const targetOf = (webhook: Webhook) => ({
    key: webhook.webhook_id,
    url: webhook.url,
    claim: async (tx: Parameters<typeof claim>[0], now: Date, limit: number) =>
      (await claim(tx, webhook, now, limit)).map((claimed) => ({
        send: (options: Parameters<typeof attempt>[3]) =>
          attempt(server, claimed.webhook, requestOf(claimed.message), options),
        record: (...[tx, outcome, at]: Parameters<RecordOutcome>) =>
          recordOutcome(tx, claimed, outcome, at),
        release: (tx: Parameters<typeof unclaim>[0]) => unclaim(tx, claimed),
      })),
  })
  return {
    due: async () => (await store.read((tx) => dueWebhooks(tx, clock()))).map(targetOf),
    freeClaims,
    sweep: placeDeliveries.sweep,
  }
}

type RecordOutcome = Awaited<
  ReturnType<Awaited<ReturnType<DeliveryQueue['due']>>[number]['claim']>
>[number]['record']

const requestOf = ({
  message_id: id,
  type,
  body,
}: {
  message_id: string
  type: string
  body: string
}) => ({ id, type, body })
