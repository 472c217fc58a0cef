import { renewOrEndLeases } from './after-write.ts'
import { guard } from './guard.ts'
import { list } from './list.ts'
import { next } from './next.ts'
import { claim, get, heartbeat, release } from './operations.ts'

export { releaseAllOf } from './release-all.ts'

/** The hooks of `dispatch`: before a guarded operation, and after every accepted write. */
export const leasing = { guards: { lease: guard }, afterWrite: renewOrEndLeases }

export const operations = [next, claim, heartbeat, release, get, list] as const
