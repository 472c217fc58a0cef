import {
  type Delivery,
  type DeliveryQueue,
  type DeliveryServices,
  inParallel,
  type Target,
} from '../../../../kernel/delivery-queue.ts'
import { attempt } from './attempt.ts'
import { agentDeliveries } from './deliveries.ts'
import {
  type ActiveWebhook,
  activeWebhooks,
  type Claimed,
  claim,
  deleteOrphans,
  freeClaims,
  gatherFor,
  recordOutcome,
  unclaim,
} from './queue.ts'

/** The messages to the webhooks of agents. */
export function agentWebhooks(services: DeliveryServices): DeliveryQueue {
  const { store, clock } = services
  const load = () => store.read((tx) => activeWebhooks(tx, clock()))
  return {
    async due(isStopped) {
      const webhooks = await load()
      const behind = webhooks.filter(({ isBehind }) => isBehind)
      await inParallel(behind, async ({ webhook }) => {
        while (!isStopped() && (await store.write((tx) => gatherFor(tx, webhook, clock()))));
      })
      const current = behind.length ? await load() : webhooks
      return current.filter(({ isDue }) => isDue).map((active) => targetOf(services, active))
    },
    freeClaims,
    async sweep(tx, now) {
      await deleteOrphans(tx)
      return agentDeliveries.sweep(tx, now)
    },
  }
}

const targetOf = (services: DeliveryServices, { webhook }: ActiveWebhook): Target => ({
  key: webhook.webhook_id,
  url: webhook.url,
  claim: async (tx, now, limit) =>
    (await claim(tx, webhook, now, limit)).map((claimed) => deliveryOf(services, claimed)),
})

const deliveryOf = ({ server }: DeliveryServices, claimed: Claimed): Delivery => ({
  send: (options) => attempt(server, claimed.webhook, claimed.request, options),
  record: (tx, outcome, now) => recordOutcome(tx, claimed, outcome, now),
  release: (tx) => unclaim(tx, claimed),
})
