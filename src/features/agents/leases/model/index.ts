import { renewOrEndLeases } from './after-write.ts'
import { guard } from './guard.ts'

/** The hooks of `dispatch`: before a guarded operation, and after every accepted write. */
export const leasing = { guards: { lease: guard }, afterWrite: renewOrEndLeases }

export { CurrentLease, currentLease, leaseOf, refuseLeased } from './current.ts'
export { claimableLeasedTasks, freeExpired } from './expired.ts'
export { releaseAgentsOn, releaseAllOf } from './release-all.ts'
export { HeldLease, type LeaseOptions, term } from './schema.ts'
export { createLease, leaseRecord, releaseOwn, requireMayClaim } from './store.ts'
export { leases } from './tables.ts'
