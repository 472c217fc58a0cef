import { create, list, remove } from './operations.ts'
import { createReceiver, listReceivers, removeReceiver } from './receivers.ts'
import { sync } from './sync.ts'

export { receiverLookup } from './receiver-lookup.ts'
export { pullRequestReceivers, pullRequests } from './tables.ts'

export const operations = [
  list,
  create,
  remove,
  sync,
  createReceiver,
  listReceivers,
  removeReceiver,
] as const
