import { claim, get, heartbeat, release } from './leases.ts'
import { list } from './list.ts'

export const operations = [claim, heartbeat, release, get, list] as const
