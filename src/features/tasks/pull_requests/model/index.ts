export { pullRequestLines } from './portability.ts'
export { receiverLookup } from './receiver-lookup.ts'
export { canonicalUrl } from './rules.ts'
export { pullRequestReceivers, pullRequests } from './tables.ts'
