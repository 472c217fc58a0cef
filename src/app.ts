import { Elysia } from 'elysia'
import type { Logger } from 'pino'
import { catalog } from './catalog.ts'
import type { Config } from './config.ts'
import { doorkeeper } from './doorkeeper.ts'
import type { SigningKey } from './features/credentials/index.ts'
import type { Clock, Server } from './kernel/caller.ts'
import { type Dispatch, dispatcher } from './kernel/dispatch.ts'
import type { OpenStore } from './store/sqlite.ts'
import { Door } from './surfaces/door.ts'
import { rest } from './surfaces/rest/index.ts'

export interface Parts {
  config: Config
  store: OpenStore
  clock: Clock
  key: SigningKey
  log: Logger
}

/** The house put together: one database, one dispatch, every surface. */
export function assemble({ config, store, clock, key, log }: Parts) {
  const server: Server = {
    // Known only once the port is, where the operator named none.
    get url() {
      return config.url
    },
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    sign: (claims) => key.sign(claims),
  }
  const dispatch: Dispatch = dispatcher({ store, clock, server, guards: {} })
  const door = new Door(doorkeeper({ config, store, clock, key, log }))
  const app = new Elysia().use(rest({ catalog, dispatch, door }))
  return { app, dispatch, door }
}
