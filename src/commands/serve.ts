import type { Logger } from 'pino'
import { openAi, take } from '../ai/index.ts'
import { assemble, serverOf, textPool } from '../app.ts'
import { catalog } from '../catalog.ts'
import { startNative } from '../chat/native/index.ts'
import { aiOf, type Config, readConfig, strangers } from '../config.ts'
import { type DataFolder, keepsAside, noFolder, openData } from '../data.ts'
import { fillDemo } from '../demo.ts'
import { isEmpty, setUpLink } from '../features/accounts/index.ts'
import { openKey } from '../features/credentials/index.ts'
import type { FileStore } from '../kernel/outside.ts'
import { openLibrary } from '../library.ts'
import { openLog } from '../log.ts'
import { openStore } from '../store/open.ts'
import { Unusable } from '../store/unusable.ts'
import { watchImports } from '../transfer/leftovers.ts'
import {
  startDeliveries,
  startMail,
  startWorkers,
  sweepHourly,
  sweepMinutely,
} from '../workers/index.ts'
import { type Command, DATA } from './command.ts'
import { listen, warnOfPlainHttp } from './listen.ts'

const DRAIN_MS = 9_500
const LINGER_MS = 100
/** One Ctrl-C reaches the process more than once where npm passes it on. */
const SAME_SIGNAL_MS = 500

export const serve: Command = {
  summary: 'Serve the boards of a data folder',
  about: 'Prints the address on standard output once it answers; the log goes to standard error.',
  example: 'cork serve --data ./data --port 3210',
  flags: {
    data: DATA,
    host: { type: 'string', hint: 'H', about: 'Where to listen (CORK_HOST, default 127.0.0.1)' },
    port: {
      type: 'string',
      hint: 'P',
      about: 'The port (CORK_PORT, default 3210); 0 picks a free one',
    },
    demo: { type: 'boolean', about: 'Fill an empty database with a team, a board and an agent' },
  },
  async run({ demo, json, ...flags }) {
    const config = readConfig(process.env, flags)
    const log = openLog(config.logLevel)
    for (const stranger of strangers(process.env)) log.warn(stranger)
    const stopping = signalled(log)
    const folder = config.databaseUrl ? noFolder : openData(config.data)
    try {
      const asked = { demo: demo !== undefined, json: json !== undefined }
      while (await served({ config, folder, log, stopping, ...asked })) {
        const aside = folder.adopt()
        log.info({ aside }, 'restored; what was there before is kept in "aside"')
      }
    } finally {
      folder.release()
    }
    return 0
  },
}

interface Serving {
  config: Config
  folder: DataFolder
  log: Logger
  stopping: Promise<void>
  demo: boolean
  json: boolean
}

/** Until it is told to stop. True when that is only so that a restore can take its place. */
async function served({ config, folder, log, stopping, ...asked }: Serving): Promise<boolean> {
  const { house, hush, close } = await open(config, folder, log)
  try {
    listen(house.app, config)
    folder.announce({ url: config.url })
    warnOfPlainHttp(config, log)
    await greet(house, config.url, asked)
    const restoring = await Promise.race([stopping.then(() => false), staged(folder)])
    if (restoring) log.info('stopping for a restore')
    await Promise.all([drain(house, log), hush()])
    return restoring
  } finally {
    await close()
  }
}

const LOOK_MS = 500

/** Resolves when "cork restore" has put something ready. */
function staged(folder: DataFolder): Promise<true> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (!folder.isStaged()) return
      clearInterval(timer)
      resolve(true)
    }, LOOK_MS)
  })
}

async function open(config: Config, folder: DataFolder, log: Logger) {
  const clock = () => new Date()
  const store = await openStore({ path: folder.database, url: config.databaseUrl }, clock)
  const key = await openKey(config, store, clock).catch(async (error) => {
    await store.close()
    throw error
  })
  const found = openLibrary({ config, store, log })
  const { library, index } = found
  const server = serverOf({ config, key, library })
  const onUntrustedProxy = (address: string) => {
    folder.announce({ url: config.url, proxy: address })
    log.warn(
      { address },
      'a proxy appears to be in front of this server: its forwarding headers are ignored, so all of its clients count as one address. Name it in CORK_TRUSTED_PROXIES if it is yours',
    )
  }
  const parts = { config, store, clock, key, log, library, index, onUntrustedProxy }
  const house = { ...assemble(parts), store, clock, server, key }
  await checkFiles(config, server.files, log).catch(async (error) => {
    await found.close()
    await store.close()
    throw error
  })
  const unfinished = await server.files.removeStale(Boolean(config.databaseUrl))
  if (unfinished) log.info({ files: unfinished }, 'removed files that were never written whole')
  const stopWorkers = startWorkers({ store, log })
  const hush = startDeliveries({
    ...{ store, server, clock, log },
    ...{ cycle: config.webhookCycle, isAlone: !config.databaseUrl },
  })
  const stopMail = startMail({ store, server, clock, log })
  const ai = openAi(aiOf(config))
  const working = { store, clock, log, catalog, dispatch: house.dispatch }
  const stopNative = startNative(
    { ...working, take: ai && ((turn) => take(ai, turn)) },
    { isAlone: !config.databaseUrl },
  )
  const { files } = server
  const stopSweeps = sweepHourly({ store, files, log, spares: () => keepsAside(config.data) })
  const stopMinutely = sweepMinutely({ store, clock, log })
  const stopImports = watchImports({ store, clock, log })
  return {
    house,
    /** Nothing more is sent to webhooks, by mail or to a model, and nothing more is indexed. */
    hush: () => Promise.all([hush(), stopMail(), stopNative(), found.stop()]),
    async close() {
      await hush()
      await stopNative()
      await stopMail()
      await stopSweeps()
      await stopMinutely()
      await stopImports()
      await stopWorkers()
      textPool.stop()
      await found.close()
      await store.close()
    },
  }
}

/** A data folder is known to be writable by now; what lies elsewhere is not. */
async function checkFiles(config: Config, files: FileStore, log: Logger) {
  const isAlone = !config.databaseUrl && !config.s3Bucket
  if (isAlone) return
  try {
    await files.check()
  } catch (error) {
    throw new Unusable(
      `Attachments cannot be kept in ${files.place}: ${(error as Error).message}. Correct ${config.s3Bucket ? 'the CORK_S3_… settings' : '--data or CORK_DATA'}; "cork config" shows them.`,
    )
  }
  if (!config.s3Bucket)
    log.info(
      { files: files.place },
      'attachments are kept in the data folder: every server of this database needs the same folder, or a bucket (CORK_S3_ENDPOINT)',
    )
}

type House = Awaited<ReturnType<typeof open>>['house']

async function greet(house: House, url: string, { demo, json }: Record<'demo' | 'json', boolean>) {
  if (!json) console.log(`Corkboard is at ${url}`)
  const empty = await house.store.read(isEmpty)
  const setup_link = empty && !demo ? setUpLink(house) : undefined
  const notice = demo
    ? empty
      ? await fillDemo(house)
      : 'This database is in use already, so no demo was added to it.'
    : undefined
  if (json) console.log(JSON.stringify({ url, setup_link, notice }))
  else if (setup_link) console.log(`Set it up, once, at ${setup_link}`)
  else if (notice) console.log(notice)
}

/** Resolves at the first signal; a second one does not wait for anything. */
function signalled(log: Logger): Promise<void> {
  return new Promise((resolve) => {
    let first = 0
    const heard = (signal: NodeJS.Signals) => {
      if (first && performance.now() - first > SAME_SIGNAL_MS) process.exit(1)
      if (first) return
      first = performance.now()
      log.info({ signal }, 'stopping')
      resolve()
    }
    process.on('SIGTERM', heard)
    process.on('SIGINT', heard)
  })
}

/** No new connections; what was asked for is answered, and streams are told to end. */
async function drain({ app, door }: House, log: Logger) {
  const { server } = app
  // Stopping closes what is open between two requests, and the next may be on its way already.
  door.close()
  await Bun.sleep(LINGER_MS)
  const quiet = server!.stop().then(() => true)
  for (const { fn } of app.event.stop ?? []) await fn(app)
  const late = Bun.sleep(DRAIN_MS).then(() => false)
  if (await Promise.race([quiet, late])) return
  log.warn({ requests: server!.pendingRequests }, 'still unanswered, and cut off')
  await server!.stop(true)
}
