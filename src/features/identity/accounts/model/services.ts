import type { Clock, Server } from '../../../../kernel/caller.ts'
import type { Store } from '../../../../kernel/dispatch.ts'
import type { SigningKey } from '../../credentials/model/index.ts'

/** What account functions need of the process. They run before there is a caller. */
export interface AccountServices {
  store: Store
  clock: Clock
  server: Server
  key: SigningKey
}
