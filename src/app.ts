import { type AnyElysia, Elysia } from 'elysia'
import type { Logger } from 'pino'
import { version } from '../package.json'
import { noModel, openAi } from './ai/index.ts'
import { catalog as everything } from './catalog.ts'
import { ChatDesk } from './chat/index.ts'
import { aiOf, bucketOf, type Config } from './config.ts'
import { Pool, textWork } from './content/index.ts'
import { placesIn } from './data.ts'
import { doorkeeper } from './doorkeeper.ts'
import { frontDesk } from './features/accounts/index.ts'
import { Presence } from './features/agents/index.ts'
import { upload } from './features/attachments/index.ts'
import { calendarDesk, readCalendar } from './features/calendar/index.ts'
import type { SigningKey } from './features/credentials/index.ts'
import {
  chargeSender,
  disposition,
  isShown,
  receiveUploads,
  servedAs,
} from './features/files/index.ts'
import { leasing } from './features/leases/index.ts'
import { mailDesk } from './features/mail/index.ts'
import { told } from './features/messages/index.ts'
import { receiverDesk } from './features/pull_requests/index.ts'
import { stopLost } from './features/time/index.ts'
import { openFiles } from './files/index.ts'
import { Health, readings } from './health.ts'
import type { Caller, Chatting, Clock, Server } from './kernel/caller.ts'
import { type Dispatch, dispatcher, type Wake } from './kernel/dispatch.ts'
import type { AnyOperation } from './kernel/operation.ts'
import type { Library } from './kernel/outside.ts'
import { liveSource } from './live.ts'
import { openMail } from './mail/index.ts'
import type { OpenStore } from './store/store.ts'
import { calendar } from './surfaces/calendar/index.ts'
import { canvas } from './surfaces/canvas/index.ts'
import { chat } from './surfaces/chat/index.ts'
import { Door, type Doorkeeper } from './surfaces/door.ts'
import { files } from './surfaces/files/index.ts'
import { forms } from './surfaces/forms/index.ts'
import { hooks } from './surfaces/hooks/index.ts'
import { Feed, live } from './surfaces/live/index.ts'
import { manual } from './surfaces/manual/index.ts'
import { mcp, schemaVersion } from './surfaces/mcp/index.ts'
import { openapi } from './surfaces/openapi/index.ts'
import { reports } from './surfaces/reports/index.ts'
import { rest } from './surfaces/rest/index.ts'
import { eventShapes } from './surfaces/rest/shapes.ts'
import { type IndexState, Metrics, system } from './surfaces/system/index.ts'
import { builtFiles, web } from './surfaces/web/index.ts'

/** Named from here, because in the executable all that is imported lies where `main.ts` does. */
const WORKER = new URL('./text-worker.ts', import.meta.url).href

/** One for the process. It starts with the first text, and ends when none came for a while. */
export const textPool = new Pool(WORKER)

export interface Parts {
  config: Config
  store: OpenStore
  clock: Clock
  key: SigningKey
  log: Logger
  /** Finds what was written; a command has none. */
  library?: Library | undefined
  /** How its index stands. */
  index?: () => Promise<IndexState>
  /** Other operations than the product's own; only tests name them. */
  catalog?: readonly AnyOperation[]
  /** Called once, with the address of a proxy whose headers are ignored. */
  onUntrustedProxy?: ((address: string) => void) | undefined
  /** A clock that never jumps; only tests play one. */
  elapsed?: () => number
}

/** What operations may know of this process. */
export function serverOf({
  config,
  key,
  catalog = everything,
  library = noLibrary,
}: Pick<Parts, 'config' | 'key' | 'catalog' | 'library'>): Server {
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
    elapsed: () => performance.now(),
    get schema_version() {
      digest ??= schemaVersion(catalog)
      return digest
    },
    feedback_project: config.feedbackProject,
    code_hosts: config.skillHosts,
    sign: (claims) => key.sign(claims),
    files: openFiles(placesIn(config.data).files, bucketOf(config)),
    quotas: { team: config.filesPerTeam, day: config.filesPerDay },
    // Commands of the operator have no limit of a day.
    chargeFiles: async () => {},
    async *fetch(url, wanted) {
      const { guardedFetch } = await import('./fetch/index.ts')
      yield* guardedFetch({ allowed: config.allowHosts })(url, wanted)
    },
    texts: textWork(textPool, config.textSeconds),
    library,
    mail: openMail(config.smtp, () => config.url),
    post: {
      check: async (url) => (await posting(config)).check(url),
      send: async (url, sent) => (await posting(config)).send(url, sent),
    },
    chat: chatting(config),
  }
}

/** A command has no chat; a server opens one. */
function chatting(config: Config): Chatting {
  const { provider, model } = aiOf(config) ?? {}
  return {
    model: provider && model ? { provider, model } : undefined,
    missing: { message: noModel.message, hint: noModel.hint! },
    undo: async () => {
      throw new Error('Nobody chats here')
    },
  }
}

/** A command has no index of what was written; a server opens one. */
const noLibrary: Library = {
  seek: async () => {
    throw new Error('Nothing is indexed here')
  },
  isBuilding: () => false,
}

async function posting({ allowHosts }: Config) {
  const { guardedPost } = await import('./fetch/index.ts')
  return guardedPost({ allowed: allowHosts })
}

/** What a write means for those who are at work elsewhere. */
const wake: Wake = async (ctx, changes) => {
  await leasing.wake(ctx, changes)
  await stopLost(ctx, [...changes])
}

/** The house put together: one database, one dispatch, every surface. */
export function assemble(parts: Parts) {
  const { config, store, clock, key, log, catalog = everything, library, index } = parts
  const server = serverOf({ config, key, catalog, library })
  const { onUntrustedProxy, elapsed = server.elapsed } = parts
  server.elapsed = elapsed
  server.chargeFiles = (caller, bytes) =>
    store.write((tx) => chargeSender(tx, caller, bytes, { limit: server.quotas.day, now: clock() }))
  const { guards } = leasing
  const dispatch: Dispatch = dispatcher({ store, clock, server, guards, wake })
  const accounts = frontDesk({ store, clock, server, key })
  const desk = new ChatDesk({ store, clock, log, dispatch, catalog, ai: openAi(aiOf(config)) })
  server.chat = { ...server.chat, undo: (...asked) => desk.undo(...asked) }
  const presence = new Presence(store, clock, (error) =>
    log.warn({ err: error }, 'when agents were last seen was not kept'),
  )
  const saw = (caller: Caller) => presence.saw(caller)
  const source = liveSource({ store, clock, log, saw })
  const feed = new Feed(source)
  const metrics = new Metrics(readings(store, feed, index))
  const keeper = doorkeeper({
    ...{ config, store, clock, key, log, presence, elapsed, onUntrustedProxy },
    texts: server.texts,
  })
  const health = new Health(store)
  const door = new Door(watched(keeper, metrics, health))
  const app: AnyElysia = new Elysia()
    .use(system({ door, metrics, ailing: () => health.ailing(), server, routes: () => app.routes }))
    .use(openapi({ door, app: () => app, version, told: eventShapes(told) }))
    .use(manual({ door, manual: async () => (await import('./manual/index.ts')).openManual() }))
    .use(rest({ catalog, dispatch, door, renew: accounts.renew }))
    .use(reports({ catalog, dispatch, door }))
    .use(
      calendar({
        dispatch,
        door,
        server,
        read: readCalendar,
        feeds: calendarDesk({ store, clock }),
      }),
    )
    .use(chat({ door, desk }))
    .use(canvas({ catalog, dispatch, door }))
    .use(
      hooks({
        ...{ catalog, dispatch, door, clock },
        receivers: receiverDesk({ store, server, clock }),
        missed: (told) => log.warn(told, 'No task has the pull request that was told of'),
      }),
    )
    .use(live({ door, source, feed }))
    .use(files(bytes({ door, dispatch, catalog, server })))
    .use(mcp({ catalog, dispatch, door, server, again: source.again }))
    .use(web({ door, files: builtFiles(), noCookies: accounts.noCookies }))
    .use(forms({ door, accounts, mails: mailDesk({ store, clock, server }) }))
  /** As if it were another moment, for whoever tells of the past. */
  const dispatchAt = (moment: Date) =>
    dispatcher({ store, clock: () => moment, server, guards, wake })
  return { app, dispatch, dispatchAt, door, feed, desk }
}

interface Carried {
  door: Door
  dispatch: Dispatch
  catalog: readonly AnyOperation[]
  server: Server
}

/** What the routes for files need of the features. */
const bytes = ({ door, dispatch, catalog, server }: Carried) => ({
  ...{ door, dispatch, files: server.files },
  get: catalog.find(({ name }) => name === 'attachments.get')!,
  attach: upload,
  receive: (caller: Caller, sent: Parameters<typeof receiveUploads>[1]) =>
    receiveUploads({ server, caller }, sent),
  rules: { isShown, servedAs, disposition },
})

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
