export { gather } from './gather.ts'
export { EVENTS, type EventName, isEvent, seqIn } from './rules.ts'
export { eventSchemas } from './schema.ts'
export {
  claimDue,
  currentMessage,
  markDelivered,
  markFailed,
  release,
  type Sending,
  selectForWebhook,
} from './sending.ts'
export { messagePlaces, messages } from './tables.ts'
