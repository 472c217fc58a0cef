import type {
  Attempt,
  Delivery,
  DeliveryQueue,
  DeliveryServices,
  Outcome,
} from '../../../../kernel/delivery-queue.ts'
import { type Claimed, claim, dueChannels, freeClaims, recordOutcome, release } from './claims.ts'
import { writeMessage } from './message.ts'
import { sendMessage } from './send.ts'

/** The messages to channels. */
export const channelMessages = (services: DeliveryServices): DeliveryQueue => ({
  async due() {
    const { store, clock } = services
    const due = await store.read((tx) => dueChannels(tx, clock()))
    return due.map(({ channel_id, origin }) => ({
      key: channel_id,
      url: origin,
      claim: async (tx, now, limit) =>
        (await claim(tx, channel_id, now, limit)).map((claimed) => deliveryOf(services, claimed)),
    }))
  },
  freeClaims,
})

const deliveryOf = (services: DeliveryServices, claimed: Claimed): Delivery => ({
  send: (attempt) => send(services, claimed, attempt),
  record: (tx, outcome, now) => recordOutcome(tx, claimed, outcome, now),
  release: (tx) => release(tx, claimed),
})

/** No transaction is open while a message is being sent. */
async function send(
  { store, server }: DeliveryServices,
  claimed: Claimed,
  attempt: Attempt,
): Promise<Outcome> {
  const { now } = attempt
  const message = await store.read((tx) => writeMessage({ tx, server, now }, claimed))
  if (!message) return { at: now, ms: 0, status: null, error: null }
  return sendMessage(server, claimed.channel, message, attempt)
}
