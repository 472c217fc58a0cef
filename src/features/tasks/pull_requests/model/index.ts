export { pullRequestLines } from './portability.ts'
export { receiverLookup } from './receiver-lookup.ts'
export { pullRequestReceivers, pullRequests } from './tables.ts'
