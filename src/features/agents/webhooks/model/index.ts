export { attempt, signedHeaders } from './attempt.ts'
export { agentDeliveries } from './deliveries.ts'
export { deliveryLog, deliveryRecord, newDeliveryId } from './delivery-log.ts'
export { agentWebhooks } from './delivery-queue.ts'
export { claim, deleteOrphans, gatherFor, recordOutcome } from './queue.ts'
export {
  MAX_FAILURES,
  OVERLAP_MS,
  pauseAfter,
  retryDelay,
  statusError,
} from './rules.ts'
export { DeliveryRow } from './schema.ts'
export { newSecret, newWebhookSecret } from './secrets.ts'
export { undelivered } from './store.ts'
export { webhookDeliveries, webhooks } from './tables.ts'
export { urlFault } from './url-fault.ts'
