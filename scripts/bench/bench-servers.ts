import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { copyFixture, prepareFixture } from './fill.ts'
import type { Fixture, StoredFixture } from './fixture.ts'
import type { RunSettings } from './sample.ts'
import { cache, compileBaselineServer, type Server, serveFolder, startServer } from './servers.ts'

/** A running server under test, and what its database contains. */
export interface TestServer extends Server, Fixture {
  data: string
}

/** The amounts of data and load. */
export interface Sizes {
  /** Tasks of the small database, which has one board. */
  small: number
  /** Tasks on the largest board of the large database. */
  board: number
  /** All tasks of the large database. */
  all: number
  /** Open event streams. */
  streams: number
  /** Tasks of the board that agents empty. */
  queue: number
  /** Pages that are long and have many versions. */
  pages: number
  /** Cards of the board that is imported from another product. */
  cards: number
}

type DatabaseSize = 'small' | 'large'

/** Tasks on each of the other boards of the large database. */
const OTHER_BOARD_TASKS = 5000

const boardSizesOf = ({ board, all }: Sizes): number[] => [
  board,
  ...Array.from({ length: Math.ceil((all - board) / OTHER_BOARD_TASKS) }, (_, at) =>
    Math.min(OTHER_BOARD_TASKS, all - board - at * OTHER_BOARD_TASKS),
  ),
]

/** The servers of one bench run. Each is started on first use; all are stopped together. */
export class BenchServers {
  private readonly folder = mkdtempSync(join(cache, 'run-'))
  private readonly running = new Map<string, Promise<Server>>()
  private copies = 0

  constructor(
    readonly binary: string,
    readonly settings: RunSettings,
    readonly sizes: Sizes,
  ) {}

  /** A server that does as little as possible, as the baseline. */
  baselineServer = () =>
    this.startOnce('baseline', async () => startServer([await compileBaselineServer(), '0']))

  /** A server whose only board is small. */
  small = () => this.startTestServer('small', 'steady')
  /** A server with one large board and many others. */
  large = () => this.startTestServer('large', 'steady')
  /** For groups that add data, so that `small` and `large` keep the size that their rows name. */
  writable = (size: DatabaseSize) => this.startTestServer(size, 'writable')
  /** A server that commits every write separately. */
  singleCommit = () =>
    this.startTestServer('small', 'single commit', { CORK_BENCH_ONE_COMMIT: '1' })
  /** A server into which a team is imported while it runs. */
  importTarget = () => this.startTestServer('small', 'import')
  /** A server that may call webhooks on this machine. */
  withWebhooks = () => this.startTestServer('small', 'webhooks', { CORK_ALLOW_HOSTS: '127.0.0.1' })

  /** A data folder of its own, which may be changed. */
  copyData = async (size: DatabaseSize): Promise<StoredFixture> => {
    const boards = size === 'small' ? [this.sizes.small] : boardSizesOf(this.sizes)
    const fixture = await prepareFixture(this.binary, boards)
    return { ...fixture, folder: copyFixture(fixture, this.path(`data-${this.copies++}`)) }
  }

  /** A path in a folder that is deleted when the bench ends. */
  path = (name: string) => join(this.folder, name)

  private startTestServer(
    size: DatabaseSize,
    name: string,
    env: Record<string, string> = {},
  ): Promise<TestServer> {
    return this.startOnce(`${name} ${size}`, async () => {
      const { folder, ...fixture } = await this.copyData(size)
      const server = await serveFolder(this.binary, folder, env)
      return { ...server, ...fixture, data: folder }
    }) as Promise<TestServer>
  }

  private startOnce(name: string, start: () => Promise<Server>): Promise<Server> {
    const running = this.running.get(name)
    if (running) return running
    const server = start()
    this.running.set(name, server)
    return server
  }

  async stop() {
    const servers = await Promise.allSettled(this.running.values())
    for (const server of servers) if (server.status === 'fulfilled') await server.value.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
