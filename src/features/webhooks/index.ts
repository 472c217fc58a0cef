import { configure } from './configure.ts'
import { get, list, remove, rotate } from './operations.ts'
import { replay, test } from './test-delivery.ts'

export { attempt, type Outcome } from './attempt.ts'
export { sweepDeliveries } from './deliveries.ts'
export {
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
export { TIMEOUT_MS } from './rules.ts'
export { undelivered } from './store.ts'
export { webhookDeliveries, webhooks } from './tables.ts'

export const operations = [get, configure, test, replay, rotate, remove, list] as const
