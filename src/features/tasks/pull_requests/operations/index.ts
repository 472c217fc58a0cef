import { create, list, remove } from './pull-requests.ts'
import { createReceiver, listReceivers, removeReceiver } from './receivers.ts'
import { sync } from './sync.ts'

export const operations = [
  list,
  create,
  remove,
  sync,
  createReceiver,
  listReceivers,
  removeReceiver,
] as const
