import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Facts, Filled } from './facts.ts'
import { copied, filled } from './fill.ts'
import type { Pace } from './sample.ts'
import { bareBinary, cache, type Server, started } from './servers.ts'

export interface House extends Server, Facts {
  data: string
}

/** How many tasks: on a small board, on the largest, and in the whole of the large database. */
export interface Sizes {
  small: number
  board: number
  all: number
  /** How many listen at the same time. */
  streams: number
  /** How many wait on a board that agents empty. */
  queue: number
  /** How many pages are long and have many versions. */
  pages: number
}

const OTHER_BOARDS = 5000

const boardsOf = ({ board, all }: Sizes): number[] => [
  board,
  ...Array.from({ length: Math.ceil((all - board) / OTHER_BOARDS) }, (_, at) =>
    Math.min(OTHER_BOARDS, all - board - at * OTHER_BOARDS),
  ),
]

/** The servers of one run of the bench: started when first asked for, stopped together. */
export class Bench {
  private readonly folder = mkdtempSync(join(cache, 'run-'))
  private readonly running = new Map<string, Promise<Server>>()
  private copies = 0

  constructor(
    readonly binary: string,
    readonly pace: Pace,
    readonly sizes: Sizes,
  ) {}

  /** The yardstick: a route that answers a constant. */
  bare = () => this.once('bare', async () => started([await bareBinary(), '0']))

  /** A house whose only board is small. */
  small = () => this.house('small')
  /** A house with one large board among many. */
  large = () => this.house('large')
  /** Both over again, to be filled further: the others keep the size that rows tell. */
  growing = (size: 'small' | 'large') => this.house(size, {}, 'growing')
  /** Growing too, but every write has a commit of its own. */
  hasty = () => this.house('small', { CORK_BENCH_ONE_COMMIT: '1' }, 'hasty')

  /** A house into which a team is imported while it serves. */
  importing = () => this.house('small', {}, 'importing')

  /** A house of its own, whose agents are called on this machine. */
  calling = () => this.house('small', { CORK_ALLOW_HOSTS: '127.0.0.1' }, 'calling')

  /** Made beforehand, so that no measurement begins while the disk still writes. */
  async filled(size: 'small' | 'large'): Promise<Filled> {
    return filled(this.binary, size === 'small' ? [this.sizes.small] : boardsOf(this.sizes))
  }

  /** A data folder to write to. */
  async data(size: 'small' | 'large'): Promise<Filled> {
    const made = await this.filled(size)
    return { ...made, folder: copied(made, this.path(`data-${this.copies++}`)) }
  }

  /** A place that is gone when the bench ends. */
  path = (name: string) => join(this.folder, name)

  private house(
    size: 'small' | 'large',
    env: Record<string, string> = {},
    name = 'steady',
  ): Promise<House> {
    return this.once(`${name} ${size}`, async () => {
      const { folder, ...facts } = await this.data(size)
      const server = await started([this.binary, 'serve', '--data', folder, '--port', '0'], env)
      return { ...server, ...facts, data: folder }
    }) as Promise<House>
  }

  private once(name: string, start: () => Promise<Server>): Promise<Server> {
    const before = this.running.get(name)
    if (before) return before
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
