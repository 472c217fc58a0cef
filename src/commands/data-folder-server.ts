import {
  checkDataFolder,
  findServer,
  noDataFolder,
  tryOpenDataFolder,
} from '../config/data-folder.ts'
import { type Config, readConfig } from '../config/index.ts'
import { openLog } from '../server/log.ts'
import { CommandError } from '../surfaces/cli/command.ts'
import type { CommandIO } from '../surfaces/cli/io.ts'
import type { Account } from '../surfaces/cli/logins.ts'
import { assertKeyExists, assertSchemaLevel } from './local-context.ts'
import { serveFolder } from './serve.ts'

const START_MS = 10_000
const POLL_MS = 50

interface OwnServer {
  url: string
  stop(): void
  stopped: Promise<void>
}

/**
 * The server of a data folder. Several commands can use one folder: the first one serves it on the
 * loopback interface, the others find its address. If it ends, the next one takes over.
 */
export class DataFolderServer {
  private readonly config: Config
  private own: OwnServer | undefined
  private starting: Promise<string> | undefined

  constructor(
    data: string,
    private readonly io: CommandIO,
  ) {
    // CORK_URL is the public address, which is not where this process listens.
    const env = { ...io.env, CORK_URL: undefined }
    this.config = readConfig(env, { data, host: '127.0.0.1', port: '0' })
  }

  account = async (): Promise<Account> => {
    const token = this.io.env.CORK_TOKEN?.trim()
    if (!token)
      throw new CommandError(
        'CORK_TOKEN is not set. Set it to an API key or an agent token of this data folder; "cork token create" and "cork agent create" print one',
      )
    if (this.own) return { url: this.own.url, token }
    this.starting ??= this.findOrStart().finally(() => {
      this.starting = undefined
    })
    return { url: await this.starting, token }
  }

  async close(): Promise<void> {
    const { own } = this
    own?.stop()
    await own?.stopped
  }

  private async findOrStart(): Promise<string> {
    const { config } = this
    if (!config.databaseUrl) checkDataFolder(config.data)
    for (const deadline = Date.now() + START_MS; ; await this.io.sleep(POLL_MS)) {
      const url = config.databaseUrl ? undefined : findServer(config.data)?.url
      const address = url ?? (await this.start())
      if (address) return address
      if (Date.now() > deadline)
        throw new CommandError(
          `Another cork holds the data folder ${config.data}, but does not serve it. Stop that process, or try again`,
        )
    }
  }

  /** Returns the address, or undefined if another process has locked the folder. */
  private async start(): Promise<string | undefined> {
    const { config } = this
    const folder = config.databaseUrl ? noDataFolder : tryOpenDataFolder(config.data)
    if (!folder) return undefined
    try {
      await assertSchemaLevel({ path: folder.database, url: config.databaseUrl })
      assertKeyExists(config)
    } catch (error) {
      folder.release()
      throw error
    }
    const log = openLog(this.io.env.CORK_LOG_LEVEL ? config.logLevel : 'warn')
    const { promise: stopping, resolve: stop } = Promise.withResolvers<void>()
    const { promise: ready, resolve, reject } = Promise.withResolvers<string>()
    const onReady = async () => resolve(config.url)
    const stopped = serveFolder({ config, folder, log, stopping, onReady })
    stopped.catch(reject)
    const url = await ready
    this.own = { url, stop, stopped }
    const ended = stopped
      .catch(() => {})
      .then(() => {
        this.own = undefined
      })
    process.once('SIGTERM', () => {
      stop()
      void ended.then(() => process.exit(0))
    })
    return url
  }
}
