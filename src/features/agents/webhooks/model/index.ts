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
