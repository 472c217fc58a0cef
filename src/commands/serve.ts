import type { Logger } from 'pino'
import { type DataFolder, noDataFolder, openDataFolder } from '../config/data-folder.ts'
import { type Config, readConfig, unknownVariables } from '../config/index.ts'
import { isEmpty, setUpLink } from '../features/identity/accounts/model/index.ts'
import { openKey } from '../features/identity/credentials/model/index.ts'
import type { Clock, Server } from '../kernel/caller.ts'
import type { FileStore } from '../kernel/services.ts'
import { createApp, createServer, textPool } from '../server/app.ts'
import { openLog } from '../server/log.ts'
import { ReaderThreads } from '../server/readers.ts'
import { openSearchIndex } from '../server/search-index.ts'
import { openStore } from '../store/open.ts'
import { UnusableError } from '../store/unusable.ts'
import { startBackgroundWork } from './background-work.ts'
import { type Command, DATA } from './command.ts'
import { listen, warnOfPlainHttp, warnOfUntrustedProxy } from './listen.ts'

const DRAIN_MS = 9_500
const KEEP_ALIVE_GRACE_MS = 100
/** npm passes one Ctrl-C on, so the process receives it more than once. */
const SAME_SIGNAL_MS = 500

export const serve: Command = {
  summary: 'Start the server',
  about: 'Prints its address on standard output once it is ready; logs go to standard error.',
  example: 'cork serve --data ./data --port 3210',
  flags: {
    data: DATA,
    host: {
      type: 'string',
      hint: 'H',
      about: 'Address to listen on (CORK_HOST, default 127.0.0.1)',
    },
    port: {
      type: 'string',
      hint: 'P',
      about: 'Port (CORK_PORT, default 3210); 0 picks a free one',
    },
    demo: { type: 'boolean', about: 'Fill an empty database with a team, a board and an agent' },
  },
  async run({ demo, json, ...flags }) {
    const config = readConfig(process.env, flags)
    const log = openLog(config.logLevel)
    for (const warning of unknownVariables(process.env)) log.warn(warning)
    const stopping = shutdownSignal(log)
    const folder = config.databaseUrl ? noDataFolder : openDataFolder(config.data)
    const output = { demo: demo !== undefined, json: json !== undefined }
    const onReady = (running: RunningServer) => printStartup(running, config.url, output)
    await serveFolder({ config, folder, log, stopping, onReady })
    return 0
  },
}

interface ServeOptions {
  config: Config
  folder: DataFolder
  log: Logger
  /** Resolves when the server shall stop. */
  stopping: Promise<void>
  onReady(running: RunningServer): Promise<void>
}

/** Serves a data folder until it shall stop, also across restores. Then releases the folder. */
export async function serveFolder(options: ServeOptions): Promise<void> {
  const { folder, log } = options
  try {
    while (await serveUntilStopped(options)) {
      const aside = folder.applyRestore()
      log.info({ aside }, 'restored; the previous data is kept in "aside"')
    }
  } finally {
    folder.release()
  }
}

/** Serves until a signal or a staged restore. Returns true if it stopped for a restore. */
async function serveUntilStopped({
  config,
  folder,
  log,
  stopping,
  onReady,
}: ServeOptions): Promise<boolean> {
  const { handles: running, stopOutgoing, close } = await open(config, folder, log)
  try {
    listen(running.app, config)
    folder.announce({ url: config.url })
    warnOfPlainHttp(config, log)
    await onReady(running)
    const restoring = await Promise.race([stopping.then(() => false), restoreStaged(folder)])
    if (restoring) log.info('stopping for a restore')
    await Promise.all([drain(running, log), stopOutgoing()])
    return restoring
  } finally {
    await close()
  }
}

const STAGED_POLL_MS = 500

/** Resolves when "cork restore" has staged a backup. */
function restoreStaged(folder: DataFolder): Promise<true> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (!folder.hasStagedRestore()) return
      clearInterval(timer)
      resolve(true)
    }, STAGED_POLL_MS)
  })
}

async function open(config: Config, folder: DataFolder, log: Logger) {
  const clock = () => new Date()
  const store = await openStore(
    { path: folder.database, url: config.databaseUrl, replicaUrls: config.replicaUrls },
    clock,
  )
  const key = await openKey(config, store, clock).catch(async (error) => {
    await store.close()
    throw error
  })
  const openedIndex = openSearchIndex({ config, store, log })
  const { searchIndex, index } = openedIndex
  const server = createServer({ config, key, searchIndex })
  const onUntrustedProxy = (address: string) => {
    folder.announce({ url: config.url, proxy: address })
    warnOfUntrustedProxy(address, log)
  }
  const readers = openReaders(config, folder, { clock, server })
  const options = { config, store, clock, key, log, searchIndex, index, readers, onUntrustedProxy }
  const running = { ...createApp(options), store, clock, server, key }
  server.signals = running.signals
  await checkFiles(config, server.files, log).catch(async (error) => {
    await openedIndex.close()
    await store.close()
    throw error
  })
  const unfinished = await server.files.removeStale(Boolean(config.databaseUrl))
  if (unfinished) log.info({ files: unfinished }, 'removed incomplete files')
  const work = startBackgroundWork(options, server, running.dispatch)
  return {
    handles: running,
    /** Stops webhooks, mail, the model and indexing. */
    stopOutgoing: () => Promise.all([work.stopOutgoing(), openedIndex.stop()]),
    async close() {
      await work.stop()
      textPool.stop()
      readers?.stop()
      await openedIndex.close()
      await store.close()
    },
  }
}

/** Threads for heavy reads. A PostgreSQL server has processes for them. */
const openReaders = (
  { databaseUrl, readerThreads: threads }: Config,
  { database: path }: DataFolder,
  services: { clock: Clock; server: Server },
) => (databaseUrl || !threads ? undefined : new ReaderThreads({ path, threads, ...services }))

/**
 * Checks the file store. A local data folder is known to be writable by now; a bucket or a folder
 * that several servers share is not.
 */
async function checkFiles(config: Config, files: FileStore, log: Logger) {
  const isAlone = !config.databaseUrl && !config.s3Bucket
  if (isAlone) return
  try {
    await files.check()
  } catch (error) {
    throw new UnusableError(
      `Attachments cannot be stored in ${files.location}: ${(error as Error).message}. Correct ${config.s3Bucket ? 'the CORK_S3_… settings' : '--data or CORK_DATA'}; "cork config" shows them.`,
    )
  }
  if (!config.s3Bucket)
    log.info(
      { files: files.location },
      'attachments are stored in the data folder: all servers of this database need the same folder, or a bucket (CORK_S3_ENDPOINT)',
    )
}

type RunningServer = Awaited<ReturnType<typeof open>>['handles']

async function printStartup(
  running: RunningServer,
  url: string,
  { demo, json }: Record<'demo' | 'json', boolean>,
) {
  if (!json) console.log(`Corkboard is at ${url}`)
  const empty = await running.store.read(isEmpty)
  const setup_link = empty && !demo ? setUpLink(running) : undefined
  const notice = demo
    ? empty
      ? await (await import('../demo/index.ts')).fillDemo(running)
      : 'This database is already in use, so no demo was added.'
    : undefined
  if (json) console.log(JSON.stringify({ url, setup_link, notice }))
  else if (setup_link) console.log(`Set up Corkboard with this one-time link: ${setup_link}`)
  else if (notice) console.log(notice)
}

/** Resolves at the first signal. A second one ends the process at once. */
function shutdownSignal(log: Logger): Promise<void> {
  return new Promise((resolve) => {
    let first = 0
    const onSignal = (signal: NodeJS.Signals) => {
      if (first && performance.now() - first > SAME_SIGNAL_MS) process.exit(1)
      if (first) return
      first = performance.now()
      log.info({ signal }, 'stopping')
      resolve()
    }
    process.on('SIGTERM', onSignal)
    process.on('SIGINT', onSignal)
  })
}

/** Accepts no new connections, answers the pending requests and ends the streams. */
async function drain({ app, gateway }: RunningServer, log: Logger) {
  const { server } = app
  // Stopping closes idle keep-alive connections, whose next request may already be on its way.
  gateway.close()
  await Bun.sleep(KEEP_ALIVE_GRACE_MS)
  const drained = server!.stop().then(() => true)
  for (const { fn } of app.event.stop ?? []) await fn(app)
  const timedOut = Bun.sleep(DRAIN_MS).then(() => false)
  if (await Promise.race([drained, timedOut])) return
  log.warn({ requests: server!.pendingRequests }, 'requests cut off without a response')
  await server!.stop(true)
}
