import type { Caller, Clock, Server } from '../kernel/caller.ts'
import type { OperationResult, Readers } from '../kernel/dispatch.ts'
import { Fault } from '../kernel/fault.ts'
import type { AnyOperation } from '../kernel/operation.ts'
import { Pool, type PoolTask } from '../kernel/pool/pool.ts'

/** In the executable, all code is in the folder of `main.ts`. */
const THREAD_FILE = Bun.isStandaloneExecutable ? './server/reader-thread.ts' : './reader-thread.ts'
const THREAD = new URL(THREAD_FILE, import.meta.url).href

/** The fields of the server that a heavy read may use. */
export type ReaderServer = Pick<Server, 'url' | 'time_zone' | 'version'>

/** A message to a reader thread. Without `read`, the thread only opens the database. */
export interface ReadRequest {
  /** The database file. */
  path: string
  read?: { caller: Caller; operation: string; input: unknown; now: number; server: ReaderServer }
}

/** The answer of a reader thread. */
export interface ReadAnswer extends Pick<OperationResult, 'page' | 'warnings'> {
  dataText: string
}

interface Options {
  path: string
  threads: number
  clock: Clock
  server: Server
}

/** Runs heavy reads on threads with their own connections, so that other requests do not wait. */
export class ReaderThreads implements Readers {
  private readonly pool: Pool

  constructor(private readonly options: Options) {
    this.pool = new Pool(THREAD, { noun: 'reads', threads: options.threads })
  }

  isReady(): boolean {
    if (this.pool.isStarted) return true
    // If the thread cannot start, the next heavy read tries again. This one runs on the main thread.
    this.run('start', {}).catch(() => undefined)
    return false
  }

  async read(caller: Caller, { name }: AnyOperation, input: unknown): Promise<OperationResult> {
    const { clock, server } = this.options
    const { url, time_zone, version } = server
    const now = clock().getTime()
    const read = { caller, operation: name, input, now, server: { url, time_zone, version } }
    return new ReaderResult((await this.run(caller.credential, { read })) as ReadAnswer)
  }

  stop() {
    this.pool.stop()
  }

  private async run(credential: string, request: Omit<ReadRequest, 'path'>): Promise<unknown> {
    const { path } = this.options
    const { value, error } = await this.pool.run(credential, taskOf({ path, ...request }))
    if (error) throw error
    return value
  }
}

const taskOf = (message: ReadRequest): PoolTask => ({
  message,
  length: 0,
  tooSlow: (seconds) =>
    new Fault(
      'unavailable',
      `The read took more than ${seconds} s`,
      { retry_after: 10 },
      'Ask for less at once, or try again in 10 s',
    ),
})

class ReaderResult implements OperationResult {
  readonly dataText: string
  private parsed: unknown

  constructor({ dataText, page, warnings }: ReadAnswer) {
    this.dataText = dataText
    if (page) Object.assign(this, { page })
    if (warnings) Object.assign(this, { warnings })
  }

  get data(): unknown {
    this.parsed ??= JSON.parse(this.dataText)
    return this.parsed
  }
}
