import { guard } from './guard.ts'
import { list } from './list.ts'
import { next } from './next.ts'
import { claim, get, heartbeat, release } from './operations.ts'
import { wake } from './wake.ts'

export { letGo } from './letgo.ts'

/** What `dispatch` asks of leases: before a guarded operation, and after every accepted write. */
export const leasing = { guards: { lease: guard }, wake }

export const operations = [next, claim, heartbeat, release, get, list] as const
