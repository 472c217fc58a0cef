import type { Clock, Server } from '../../kernel/caller.ts'
import type { Store } from '../../kernel/dispatch.ts'
import type { SigningKey } from '../credentials/index.ts'

/** What accounts need of the process: they are made and entered before there is a caller. */
export interface House {
  store: Store
  clock: Clock
  server: Server
  key: SigningKey
}
