import { type AnyElysia, Elysia } from 'elysia'
import type { Logger } from 'pino'
import { version } from '../../package.json'
import { noModel, openModel } from '../ai/index.ts'
import { catalog as fullCatalog } from '../catalog.ts'
import { ChatService } from '../chat/index.ts'
import { ageOfBackup, pathsIn } from '../config/data-folder.ts'
import { aiOf, bucketOf, type Config } from '../config/index.ts'
import { textTasksFor } from '../content/index.ts'
import { Presence } from '../features/agents/agents/model/index.ts'
import { leasing } from '../features/agents/leases/model/index.ts'
import { eventSchemas } from '../features/agents/messages/model/index.ts'
import { appRequest, openSetup } from '../features/code/hosts/model/index.ts'
import { requestIssueOf } from '../features/code/issues/model/index.ts'
import { receiverOf } from '../features/code/repositories/model/index.ts'
import { deliverReview, readVerdicts } from '../features/code/reviews/model/index.ts'
import { browserAccounts, emailLinks } from '../features/identity/accounts/model/index.ts'
import type { SigningKey } from '../features/identity/credentials/model/index.ts'
import { AuthorizationServer } from '../features/identity/grants/model/index.ts'
import { allow, deny } from '../features/identity/grants/operations/index.ts'
import { picture } from '../features/identity/profile/operations/index.ts'
import { answerService } from '../features/inbox/answers/model/index.ts'
import { slackChannel } from '../features/inbox/channels/model/index.ts'
import { unsubscribePage } from '../features/inbox/mail/model/index.ts'
import { upload } from '../features/tasks/attachments/operations/index.ts'
import {
  chargeSender,
  disposition,
  isShownInline,
  receiveUploads,
  servedContentType,
} from '../features/tasks/files/model/index.ts'
import { receiverLookup } from '../features/tasks/pull_requests/model/index.ts'
import { readExport } from '../features/tasks/tasks/operations/index.ts'
import { calendarFeedLookup } from '../features/time/calendar/model/index.ts'
import { readCalendar } from '../features/time/calendar/operations/index.ts'
import { stopHiddenTimers } from '../features/time/time/model/index.ts'
import { openFiles } from '../files/index.ts'
import type { Caller, Clock, Server, ChatService as ServerChat } from '../kernel/caller.ts'
import { type AfterWrite, type Dispatch, dispatcher, type Readers } from '../kernel/dispatch.ts'
import type { AnyOperation } from '../kernel/operation.ts'
import { Pool } from '../kernel/pool/pool.ts'
import type { SearchIndex } from '../kernel/services.ts'
import { openMail } from '../mail/index.ts'
import type { OpenStore } from '../store/store.ts'
import { calendar, todoWriter } from '../surfaces/calendar/index.ts'
import { canvas } from '../surfaces/canvas/index.ts'
import { chat } from '../surfaces/chat/index.ts'
import { taskFiles } from '../surfaces/export/index.ts'
import { files } from '../surfaces/files/index.ts'
import { forms } from '../surfaces/forms/index.ts'
import { type Authenticator, Gateway } from '../surfaces/gateway.ts'
import { hooks } from '../surfaces/hooks/index.ts'
import { slackButtons } from '../surfaces/hooks/slack.ts'
import { Feed, live } from '../surfaces/live/index.ts'
import { manual } from '../surfaces/manual/index.ts'
import { mcp, schemaVersion } from '../surfaces/mcp/index.ts'
import { oauth } from '../surfaces/oauth/index.ts'
import { openapi } from '../surfaces/openapi/index.ts'
import { basePathOf } from '../surfaces/path.ts'
import { reports } from '../surfaces/reports/index.ts'
import { rest } from '../surfaces/rest/index.ts'
import { eventShapes } from '../surfaces/rest/shapes.ts'
import { type IndexState, Metrics, system } from '../surfaces/system/index.ts'
import { builtFiles, web } from '../surfaces/web/index.ts'
import { createAuthenticator } from './authenticate.ts'
import { withBasePath } from './base-path.ts'
import { createReadings, Health } from './health.ts'
import { Issuers } from './issuers.ts'
import { liveSource } from './live.ts'
import { LiveSignals } from './signals.ts'

/** In the executable, all code is in the folder of `main.ts`. */
const WORKER_FILE = Bun.isStandaloneExecutable ? './server/text-worker.ts' : './text-worker.ts'
const WORKER = new URL(WORKER_FILE, import.meta.url).href

/** The process has one pool. It starts with the first text and ends after a while without any. */
export const textPool = new Pool(WORKER, { turnLength: 20_000 })

export interface AppOptions {
  config: Config
  store: OpenStore
  clock: Clock
  key: SigningKey
  log: Logger
  /** The search index. Commands run without one. */
  searchIndex?: SearchIndex | undefined
  /** Threads for heavy reads. Without them, the thread that answers requests runs all reads. */
  readers?: Readers | undefined
  /** Reads the state of the search index, for the metrics. */
  index?: () => Promise<IndexState>
  /** Replaces the operations of the product. Only tests set it. */
  catalog?: readonly AnyOperation[]
  /** Called once, with the address of the first untrusted proxy. Its headers are ignored. */
  onUntrustedProxy?: ((address: string) => void) | undefined
  /** A monotonic clock in milliseconds. Only tests set it. */
  elapsed?: () => number
}

/** Creates what operations get to know and use of this process. */
export function createServer({
  config,
  key,
  catalog = fullCatalog,
  searchIndex = noSearchIndex,
}: Pick<AppOptions, 'config' | 'key' | 'catalog' | 'searchIndex'>): Server {
  // Both are computed at the first use, so that the start does not wait for them.
  let zone: string | undefined
  let schemaDigest: string | undefined
  return {
    // Without CORK_URL, the address is known only after the port is open.
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
      schemaDigest ??= schemaVersion(catalog)
      return schemaDigest
    },
    feedback_project: config.feedbackProject,
    sign_in: signInOptions(config),
    code_hosts: config.skillHosts,
    sign: (claims) => key.sign(claims),
    encrypt: (purpose, text) => key.encrypt(purpose, text),
    decrypt: (purpose, encrypted) => key.decrypt(purpose, encrypted),
    files: openFiles(pathsIn(config.data).files, bucketOf(config)),
    quotas: { team: config.filesPerTeam, day: config.filesPerDay },
    // Commands of the operator have no daily limit. `createApp` sets one for requests.
    chargeFiles: async () => {},
    async *fetch(url, options) {
      const { guardedFetch } = await import('../fetch/index.ts')
      yield* guardedFetch({ allowed: config.allowHosts })(url, options)
    },
    textTasks: textTasksFor(textPool, config.textSeconds),
    searchIndex,
    signals: new LiveSignals(undefined),
    mail: openMail(config.smtp, () => config.url),
    post: {
      check: async (url) => (await loadPost(config)).check(url),
      send: async (url, request) => (await loadPost(config)).send(url, request),
      exchange: async (url, request) => (await loadPost(config)).exchange(url, request),
    },
    async callApi(url, request) {
      const { guardedCall } = await import('../fetch/index.ts')
      return guardedCall({ allowed: config.allowHosts })(url, request)
    },
    chat: commandChat(config),
  }
}

const signInOptions = ({ issuers, oidcOnly }: Config): Server['sign_in'] => ({
  passwords: !oidcOnly,
  issuers: issuers.map(({ number, name, issuer }) => ({ number, name, issuer })),
})

/** The chat of a process without a server: it only tells whether a model is configured. */
function commandChat(config: Config): ServerChat {
  const { provider, model } = aiOf(config) ?? {}
  return {
    model: provider && model ? { provider, model } : undefined,
    unavailable: { message: noModel.message, hint: noModel.hint! },
    undo: async () => {
      throw new Error('Nobody chats here')
    },
  }
}

const notIndexed = async (): Promise<never> => {
  throw new Error('Nothing is indexed here')
}

/** The search index of a process without a server. Using it is a mistake. */
const noSearchIndex: SearchIndex = {
  search: notIndexed,
  find: notIndexed,
  duplicates: notIndexed,
  isBuilding: () => false,
}

async function loadPost({ allowHosts }: Config) {
  const { guardedPost } = await import('../fetch/index.ts')
  return guardedPost({ allowed: allowHosts })
}

/** Runs in the transaction of every write: updates leases, and stops timers without a task. */
const wake: AfterWrite = async (ctx, changes) => {
  await leasing.afterWrite(ctx, changes)
  await stopHiddenTimers(ctx, [...changes])
}

const createDispatch = (
  { store, server, readers }: Pick<AppOptions, 'store' | 'readers'> & { server: Server },
  clock: Clock,
): Dispatch =>
  dispatcher({ store, clock, server, readers, guards: leasing.guards, afterWrite: wake })

/** Connects one database and one dispatch to every surface. */
export function createApp(options: AppOptions) {
  const dependencies = createDependencies(options)
  const app = mountSurfaces(dependencies)
  const { dispatch, gateway, feed, chatService } = dependencies
  /** A dispatch whose clock stands still at another time. The demo writes its history with it. */
  const dispatchAt = (time: Date) => createDispatch(dependencies, () => time)
  const { signals } = dependencies.server
  return { app, dispatch, dispatchAt, gateway, feed, chatService, signals }
}

type Dependencies = ReturnType<typeof createDependencies>

/** Creates what the surfaces depend on. */
function createDependencies(parts: AppOptions) {
  const { config, store, clock, key, log, catalog = fullCatalog, index, onUntrustedProxy } = parts
  const { readers } = parts
  const server = createRequestServer(parts)
  const dispatch = createDispatch({ store, server, readers }, clock)
  const accounts = createAccounts(parts, server)
  const issuers = new Issuers({ ...parts, settings: config.issuers, server, accounts })
  const authorization = createAuthorization(parts, server, dispatch)
  const chatService = createChatService(parts, catalog, dispatch)
  server.chat = { ...server.chat, undo: (...args) => chatService.undo(...args) }
  const presence = createPresence(parts)
  const markSeen = (caller: Caller) => presence.saw(caller)
  const source = liveSource({ store, clock, log, signals: server.signals, markSeen })
  const feed = new Feed(source)
  const backupAge = () => ageOfBackup(config.data, clock())
  const metrics = new Metrics({ ...createReadings(store, feed, index), backupAge })
  const authenticator = createAuthenticator({
    config,
    store,
    clock,
    key,
    log,
    presence,
    elapsed: server.elapsed,
    onUntrustedProxy,
    texts: server.textTasks,
  })
  const health = new Health(store)
  const gateway = new Gateway(withMonitoring(authenticator, metrics, health))
  return {
    ...{ store, clock, log, catalog, server, dispatch, gateway },
    ...{ accounts, issuers, authorization, chatService, source, feed, metrics, health },
  }
}

/** Accounts of people in browsers, with the links that they get by email. */
function createAccounts({ store, clock, key, log }: AppOptions, server: Server) {
  const services = { store, clock, server, key }
  const accounts = browserAccounts(services)
  const links = emailLinks(services, {
    complete: accounts.complete,
    passwords: server.sign_in.passwords,
    onError: (error) => log.error({ err: error }, 'An email with a link was not queued'),
  })
  return { ...accounts, links }
}

const createPresence = ({ store, clock, log }: AppOptions) =>
  new Presence(store, clock, (error) =>
    log.warn({ err: error }, 'could not save when agents were last seen'),
  )

const createAuthorization = (
  { store, clock, key, config }: AppOptions,
  server: Server,
  dispatch: Dispatch,
) =>
  new AuthorizationServer({
    ...{ store, clock, server, key, allowedHosts: config.allowHosts },
    allow: async (caller, input) => {
      const { data } = await dispatch(caller, allow, input)
      return data as { code: string | null }
    },
    deny: async (caller, input) => void (await dispatch(caller, deny, input)),
  })

/** The server object for requests: uploads count towards the daily limit of their sender. */
function createRequestServer(options: AppOptions): Server {
  const { store, clock, elapsed } = options
  const server = createServer(options)
  server.elapsed = elapsed ?? server.elapsed
  server.signals = new LiveSignals(store.notifier, server.elapsed)
  server.chargeFiles = (caller, bytes) =>
    store.write((tx) => chargeSender(tx, caller, bytes, { limit: server.quotas.day, now: clock() }))
  return server
}

function createChatService(
  { config, store, clock, log }: AppOptions,
  catalog: readonly AnyOperation[],
  dispatch: Dispatch,
) {
  return new ChatService({
    store,
    clock,
    log,
    dispatch,
    catalog,
    ai: openModel(aiOf(config)),
  })
}

const SLACK_TIMEOUT_MS = 10_000

const loadManual = async () => (await import('../manual/index.ts')).openManual()

/** Creates the routes of every surface. */
function mountSurfaces(dependencies: Dependencies): AnyElysia {
  const { store, clock, catalog, server, dispatch, gateway } = dependencies
  const { accounts, authorization, chatService, source, feed, metrics, health } = dependencies
  const notReadyReason = () => health.notReadyReason()
  const app: AnyElysia = newApp(server)
    .use(system({ gateway, metrics, notReadyReason, server, routes: () => app.routes }))
    .use(openapi({ gateway, app: () => app, server, events: eventShapes(eventSchemas) }))
    .use(manual({ gateway, catalog, manual: loadManual }))
    .use(rest({ ...dependencies, renew: accounts.renew, files: exportFiles(dependencies) }))
    .use(reports({ catalog, dispatch, gateway }))
    .use(
      calendar({
        ...{ dispatch, gateway, server },
        read: readCalendar,
        feeds: calendarFeedLookup({ store, clock }),
      }),
    )
    .use(chat({ gateway, chatService }))
    .use(canvas({ catalog, dispatch, gateway }))
    .use(webhooksOfHosts(dependencies))
    .use(slackButtons(slackParts(dependencies)))
    .use(live({ gateway, source, feed }))
    .use(files(fileRouteOptions({ gateway, dispatch, catalog, server })))
    .use(
      mcp({
        ...{ catalog, dispatch, gateway, server },
        refreshCaller: source.refreshCaller,
        openChanges: (caller) => feed.follow(caller),
        manual: loadManual,
      }),
    )
    .use(web({ gateway, files: builtFiles(), noCookies: accounts.noCookies }))
    .use(oauth({ gateway, service: authorization }))
    .use(forms(formParts(dependencies)))
  return app
}

/** What the pages for signed links need besides the accounts. */
const formParts = (dependencies: Dependencies) => ({
  ...dependencies,
  mails: unsubscribePage(dependencies),
  answers: answerService(dependencies),
  githubApps: githubApps(dependencies),
})

/** Only the person who began the setup of a GitHub App sees its page. */
const githubApps = ({ server, clock }: Pick<Dependencies, 'server' | 'clock'>) => ({
  request(sealed: string, { person_id }: Caller) {
    const setup = openSetup(server, sealed, clock(), person_id)
    return appRequest(server, sealed, setup)
  },
})

/** What the buttons of Slack messages need. */
function slackParts(dependencies: Dependencies) {
  const { store, clock, gateway, log, server } = dependencies
  return {
    ...{ gateway, clock, answers: answerService(dependencies) },
    channels: {
      find: (channel_id: number) => store.read((tx) => slackChannel(tx, server, channel_id)),
      decoySecret: () => server.sign({ slack_channel: 'none' }),
    },
    async respond(url: string, body: object) {
      const headers = { 'content-type': 'application/json' }
      const signal = AbortSignal.timeout(SLACK_TIMEOUT_MS)
      const request = { headers, body: JSON.stringify(body), signal }
      await server.post
        .send(url, request)
        .catch((error) => log.warn({ err: error }, 'A message in Slack was not changed'))
    },
  }
}

/**
 * Below a path, requests are routed after it was removed, so not by the router of the system.
 * Without CORK_URL the address is not known yet, but has no path.
 */
function newApp({ url }: Server): AnyElysia {
  const basePath = basePathOf(url)
  if (!basePath) return new Elysia()
  return new Elysia({ systemRouter: false }).wrap((handle) =>
    withBasePath(basePath, handle as never),
  )
}

const webhooksOfHosts = (dependencies: Dependencies) => {
  const { store, clock, log, catalog, dispatch, gateway, server } = dependencies
  return hooks({
    ...{ catalog, dispatch, gateway, clock },
    receivers: webhookReceivers(dependencies),
    requestIssue: (repository_id, number) =>
      store.write((tx) => requestIssueOf(tx, repository_id, number, clock())),
    deliverReview: (repository_id, review) =>
      deliverReview({ store, server, clock, dispatch }, repository_id, review),
    readVerdicts: (repository_id, pull_request) =>
      readVerdicts({ store, server, clock, dispatch }, repository_id, pull_request),
    onUnmatched: (event) => log.warn(event, 'No task has the reported pull request'),
  })
}

/** The addresses of linked repositories, and those of pull requests alone. */
function webhookReceivers(services: Pick<Dependencies, 'store' | 'server' | 'clock'>) {
  const { find, decoySecret } = receiverLookup(services)
  return {
    decoySecret,
    find: async (kind: string, id: string) => {
      const ofRepository = await receiverOf(services, kind, id)
      if (ofRepository) return ofRepository
      const own = await find(kind, id)
      return own && { secret: own.secret, targetsOf: async () => [own] }
    },
  }
}

/** The operations that REST answers with a file of tasks. */
function exportFiles({ dispatch, catalog, server, clock, source }: Dependencies) {
  const { refreshCaller } = source
  const write = taskFiles({
    ...{ dispatch, catalog, server, clock, refreshCaller, disposition, todoWriter },
    read: readExport,
  })
  return { 'projects.export': write, 'views.export': write }
}

interface FileRouteOptions {
  gateway: Gateway
  dispatch: Dispatch
  catalog: readonly AnyOperation[]
  server: Server
}

/** What the file routes need from the features, because surfaces do not import features. */
const fileRouteOptions = ({ gateway, dispatch, catalog, server }: FileRouteOptions) => ({
  gateway,
  dispatch,
  files: server.files,
  get: catalog.find(({ name }) => name === 'attachments.get')!,
  picture,
  attach: upload,
  receive: (caller: Caller, files: Parameters<typeof receiveUploads>[1]) =>
    receiveUploads({ server, caller }, files),
  rules: { isShown: isShownInline, servedAs: servedContentType, disposition },
})

const withMonitoring = (auth: Authenticator, metrics: Metrics, health: Health): Authenticator => ({
  ...auth,
  onServed(request) {
    auth.onServed(request)
    metrics.record(request)
    if (request.error) health.recordError(request.error)
  },
  onFailure(requestId, error) {
    auth.onFailure(requestId, error)
    health.recordError(error)
  },
})
