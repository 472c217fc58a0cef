export { attempt, signedHeaders } from './attempt.ts'
export { sweepDeliveries } from './deliveries.ts'
export { agentWebhooks } from './delivery-queue.ts'
export { claim, deleteOrphans, gatherFor, recordOutcome } from './queue.ts'
export {
  MAX_FAILURES,
  OVERLAP_MS,
  pauseAfter,
  retryDelay,
  statusError,
} from './rules.ts'
export { newSecret, newWebhookSecret } from './secrets.ts'
export { undelivered } from './store.ts'
export { webhookDeliveries, webhooks } from './tables.ts'
export { urlFault } from './url-fault.ts'
