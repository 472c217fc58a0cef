import { type AnyElysia, Elysia } from 'elysia'
import type { Logger } from 'pino'
import { version } from '../package.json'
import { catalog as everything } from './catalog.ts'
import type { Config } from './config.ts'
import { doorkeeper } from './doorkeeper.ts'
import { frontDesk } from './features/accounts/index.ts'
import type { SigningKey } from './features/credentials/index.ts'
import { Health, readings } from './health.ts'
import type { Caller, Clock, Server } from './kernel/caller.ts'
import { type Dispatch, dispatcher } from './kernel/dispatch.ts'
import type { AnyOperation } from './kernel/operation.ts'
import { liveSource } from './live.ts'
import type { OpenStore } from './store/store.ts'
import { Door, type Doorkeeper } from './surfaces/door.ts'
import { forms } from './surfaces/forms/index.ts'
import { Feed, live } from './surfaces/live/index.ts'
import { mcp, schemaVersion } from './surfaces/mcp/index.ts'
import { openapi } from './surfaces/openapi/index.ts'
import { rest } from './surfaces/rest/index.ts'
import { Metrics, system } from './surfaces/system/index.ts'

export interface Parts {
  config: Config
  store: OpenStore
  clock: Clock
  key: SigningKey
  log: Logger
  /** Other operations than the product's own; only tests name them. */
  catalog?: readonly AnyOperation[]
}

/** What operations may know of this process. */
export function serverOf({
  config,
  key,
  catalog = everything,
}: Pick<Parts, 'config' | 'key' | 'catalog'>): Server {
  // A start does not wait for what may never be asked for.
  let zone: string | undefined
  let digest: string | undefined
  return {
    // Known only once the port is, where the operator named none.
    get url() {
      return config.url
    },
    get time_zone() {
      zone ??= Intl.DateTimeFormat().resolvedOptions().timeZone
      return zone
    },
    version,
    get schema_version() {
      digest ??= schemaVersion(catalog)
      return digest
    },
    sign: (claims) => key.sign(claims),
  }
}

/** The house put together: one database, one dispatch, every surface. */
export function assemble({ config, store, clock, key, log, catalog = everything }: Parts) {
  const server = serverOf({ config, key, catalog })
  const dispatch: Dispatch = dispatcher({ store, clock, server, guards: {} })
  const act = async (caller: Caller, name: string, input: unknown) =>
    (await dispatch(caller, catalog.find((op) => op.name === name)!, input)).data
  const source = liveSource({ store, clock, log })
  const feed = new Feed(source)
  const metrics = new Metrics(readings(store, feed))
  const keeper = doorkeeper({ config, store, clock, key, log })
  const health = new Health(store)
  const door = new Door(watched(keeper, metrics, health))
  const app: AnyElysia = new Elysia()
    .use(system({ door, metrics, ailing: () => health.ailing(), server, routes: () => app.routes }))
    .use(openapi({ door, app: () => app, version }))
    .use(rest({ catalog, dispatch, door }))
    .use(live({ door, source, feed }))
    .use(mcp({ catalog, dispatch, door, server }))
    .use(forms({ accounts: frontDesk({ store, clock, server, key }), door, act, clock }))
  return { app, dispatch, door, feed }
}

const watched = (keeper: Doorkeeper, metrics: Metrics, health: Health): Doorkeeper => ({
  ...keeper,
  heard(served) {
    keeper.heard(served)
    metrics.heard(served)
    if (served.error) health.heard(served.error)
  },
  broke(requestId, error) {
    keeper.broke(requestId, error)
    health.heard(error)
  },
})
