import { ack, list } from './operations.ts'

export { gather } from './gather.ts'
export { EVENTS, type EventName, isEvent, seqIn } from './rules.ts'
export { told } from './schema.ts'
export {
  claimDue,
  markDelivered,
  markFailed,
  release,
  retold,
  type Sending,
  wish,
} from './sending.ts'
export { messagePlaces, messages } from './tables.ts'

export const operations = [list, ack] as const
