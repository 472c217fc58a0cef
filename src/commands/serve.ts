import pino, { type Logger } from 'pino'
import { assemble, serverOf } from '../app.ts'
import { type Config, readConfig } from '../config.ts'
import { openData } from '../data.ts'
import { fillDemo } from '../demo.ts'
import { isEmpty, setUpLink } from '../features/accounts/index.ts'
import { openKey } from '../features/credentials/index.ts'
import { Unusable } from '../store/migrate.ts'
import { openSqlite } from '../store/sqlite.ts'
import { startWorkers } from '../workers/index.ts'
import { type Command, DATA } from './command.ts'

const DRAIN_MS = 10_000
/** One Ctrl-C reaches the process more than once where npm passes it on. */
const SAME_SIGNAL_MS = 500

export const serve: Command = {
  summary: 'Serve the boards of a data folder',
  about: 'Prints the address on standard output once it answers; the log goes to standard error.',
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
  async run({ demo, ...flags }) {
    const config = readConfig(process.env, flags)
    const log = pino({ level: config.logLevel }, pino.destination({ fd: 2, sync: true }))
    const stopping = signalled(log)
    const folder = openData(config.data)
    try {
      const { house, close } = open(config, folder.database, log)
      try {
        listen(house.app, config)
        folder.announce(config.url)
        console.log(`Corkboard is at ${config.url}`)
        await greet(house, demo !== undefined)
        await stopping
        await drain(house.app, log)
      } finally {
        await close()
      }
    } finally {
      folder.release()
    }
    return 0
  },
}

function open(config: Config, database: string, log: Logger) {
  const key = openKey(config.data)
  const clock = () => new Date()
  const store = openSqlite(database, clock)
  const server = serverOf({ config, key })
  const house = { ...assemble({ config, store, clock, key, log }), store, clock, server, key }
  const stopWorkers = startWorkers({ store, log })
  return {
    house,
    async close() {
      await stopWorkers()
      await store.close()
    },
  }
}

type House = ReturnType<typeof open>['house']

function listen(app: House['app'], config: Config) {
  const { host, port } = config
  try {
    // Elysia would let a second server share the port, and each would answer half the requests.
    app.listen({ hostname: host, port, reusePort: false })
  } catch (error) {
    const taken = (error as { code?: string }).code === 'EADDRINUSE'
    throw new Unusable(
      taken
        ? `Port ${port} on ${host} is in use by another program. Stop that, or choose another with --port or CORK_PORT (0 picks a free one).`
        : `Cannot listen on ${host}, port ${port}: ${(error as Error).message}. Choose another with --host and --port.`,
    )
  }
  config.url ||= `http://${reachable(host)}:${app.server!.port}`
}

/** An address that listens everywhere is reached here at the loopback. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

async function greet(house: House, demo: boolean) {
  const empty = await house.store.read(isEmpty)
  if (empty && demo) console.log(await fillDemo(house))
  else if (empty) console.log(`Set it up, once, at ${setUpLink(house)}`)
  else if (demo) console.log('This database is in use already, so no demo was added to it.')
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
async function drain(app: House['app'], log: Logger) {
  const { server } = app
  const quiet = server!.stop().then(() => true)
  for (const { fn } of app.event.stop ?? []) await fn(app)
  const late = Bun.sleep(DRAIN_MS).then(() => false)
  if (await Promise.race([quiet, late])) return
  log.warn({ requests: server!.pendingRequests }, 'still unanswered, and cut off')
  await server!.stop(true)
}
